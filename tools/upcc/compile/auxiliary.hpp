// SPDX-License-Identifier: BSD-3-Clause
// The files that a compiler writes beside an object: of coverage (.gcno), stack usage (.su), split debug
// information (.dwo), -save-temps.
#pragma once
#include "tools/upcc/jobs/jobs.hpp"

namespace upcc {

// In a command that also links, the object is temporary, and these files would be removed with it. The
// options that place them beside the program, as compilers do: program-source.gcno. Empty where no such file
// is asked for, where the user's options place them, and at other stages.
Arguments auxiliary_options(const Options& options, const Job& job);

}  // namespace upcc
