// SPDX-License-Identifier: BSD-3-Clause
// Objects, archives and libraries to a program.
#pragma once
#include "tools/upcc/options.hpp"

namespace upcc {

// After every source has its object. Returns the linker's exit status.
int link(const Options& options);

}  // namespace upcc
