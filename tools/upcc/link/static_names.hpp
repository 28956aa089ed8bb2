// SPDX-License-Identifier: BSD-3-Clause
// Names of the program in a link with the static libupcr: the archive's calls of the C library, as of read(),
// come to the program's function or variable where it has one of that name.
#pragma once
#include <set>
#include <string>

namespace upcc {

// Warns of the names in `defined`, the program's, that `library` takes from the C library.
void warn_of_static_names(const std::set<std::string>& defined, const std::string& library);

}  // namespace upcc
