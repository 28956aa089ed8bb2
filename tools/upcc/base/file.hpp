// SPDX-License-Identifier: BSD-3-Clause
// Whole files, read and written. A file that cannot be read or written is fatal; part of one is removed.
#pragma once
#include <string>

namespace upcc {

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);
// Whether a file of this path can be made or written over.
bool is_writable(const std::string& path);

}  // namespace upcc
