// SPDX-License-Identifier: BSD-3-Clause
// Files named .c that hold UPC.
#pragma once
#include <string>
#include <vector>

namespace upcc {

// Whether a file includes <upc.h>, <upc_strict.h> or <upc_relaxed.h> outside of all #if, and no translator
// wrote it. Such a file is no C: the headers are UPC's. In quotes they are, too, unless one of the file's own
// folder or of `folders`, those of -I and -iquote, has that name. False for a file that cannot be read.
bool is_upc_source(const std::string& path, const std::vector<std::string>& folders);

}  // namespace upcc
