// SPDX-License-Identifier: BSD-3-Clause
// The compilers that upcc calls, each a command and its first options.
#pragma once
#include "tools/upcc/base/process.hpp"

namespace upcc {

// UPCC_CC, or cc.
Arguments c_compiler();
// UPCC_CXX, or c++.
Arguments cxx_compiler();

// By the command's name.
bool is_clang(const Arguments& compiler);

// A command as a user writes it into a variable or an option, split at blanks.
Arguments split_command(const std::string& text);

}  // namespace upcc
