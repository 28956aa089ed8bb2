// SPDX-License-Identifier: BSD-3-Clause
// upcc --sizes.
#pragma once
#include <string>

namespace upcc {

// The facts about this machine and this upcr that a translator needs, one a line
// (docs/how-to/translators.md).
std::string sizes_text();

}  // namespace upcc
