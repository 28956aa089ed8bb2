// SPDX-License-Identifier: BSD-3-Clause
// upcc --help.
#pragma once
#include <string>

namespace upcc {

std::string help_text();

}  // namespace upcc
