// SPDX-License-Identifier: BSD-3-Clause
// Translators write #include lines with absolute paths, of the machine and the runtime that they were
// installed with. Here these paths are mapped to headers of this machine and of upcr.
#pragma once
#include "tools/upcc/base/process.hpp"

namespace upcc {

// `name` is an include name with its <> or "". Returns the name to write in its place: the same where it is
// right, or the name of a header of upcr, of the system, or in `user_dirs` (the source's own folder and those
// of -I).
std::string resolve_include(const std::string& name, const Arguments& user_dirs);

}  // namespace upcc
