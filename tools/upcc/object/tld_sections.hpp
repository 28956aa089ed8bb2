// SPDX-License-Identifier: BSD-3-Clause
// Moves the thread-local variables of an object into the sections that the runtime copies for each UPC
// thread: one for initial values, and one for zeros, which takes no space in files. An attribute in the
// source cannot do that, because some declarators have no position for one.
#pragma once
#include "tools/upcc/scan/scan.hpp"

namespace upcc {

// `object` was compiled with -fdata-sections, so each variable has a section of its own; objcopy renames the
// sections of source.tld. Returns objcopy's exit status.
int move_tld_to_sections(const std::string& object, const SourceInfo& source);

}  // namespace upcc
