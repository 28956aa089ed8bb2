// SPDX-License-Identifier: BSD-3-Clause
// upcc --sizes.
#pragma once
#include <string>

namespace upcc {

// What a translator must know about this machine and this upcr, one item a line (docs/translators.md).
std::string sizes_text();

}  // namespace upcc
