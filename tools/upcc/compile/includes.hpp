// SPDX-License-Identifier: BSD-3-Clause
// Translators write #include lines with absolute paths, of the machine and the runtime that they were
// installed with. Here these paths are mapped to headers of this machine and of upcr.
#pragma once
#include "tools/upcc/base/process.hpp"

namespace upcc {

// `name` is an include name with its <> or "". Returns what to write in its place: the same where it is
// fine, the name of our header, of the system's, or of one in `user_dirs` (the source's own and -I).
std::string resolve_include(const std::string& name, const Words& user_dirs);

}  // namespace upcc
