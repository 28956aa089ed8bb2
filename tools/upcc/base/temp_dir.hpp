// SPDX-License-Identifier: BSD-3-Clause
// The folder of temporary files of this run. upcc's end removes it, by exit() or by a signal (process.hpp).
#pragma once
#include <string>

namespace upcc {

// The path of a temporary file of this name. The first call makes the folder.
std::string temp_file(const std::string& name);

// Removes the folder and its contents, if there is one.
void remove_temp_dir();

}  // namespace upcc
