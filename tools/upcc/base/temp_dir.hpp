// SPDX-License-Identifier: BSD-3-Clause
// The folder of temporary files of this run. upcc's end removes it, by exit() or by a signal (process.hpp).
#pragma once

namespace upcc {

// Removes the folder and what is in it; nothing when there is none.
void remove_temp_dir();

}  // namespace upcc
