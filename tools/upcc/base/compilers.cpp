// SPDX-License-Identifier: BSD-3-Clause
// See compilers.hpp.
#include "tools/upcc/base/compilers.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace upcc {
namespace {

Arguments compiler(const char* variable, const char* usual) {
  const char* value = ::secure_getenv(variable);
  Arguments command = split_command(value != nullptr ? value : "");
  if (command.empty()) command.push_back(usual);
  return command;
}

}  // namespace

Arguments c_compiler() { return compiler("UPCC_CC", "cc"); }
Arguments cxx_compiler() { return compiler("UPCC_CXX", "c++"); }

bool is_clang(const Arguments& compiler) {
  return std::filesystem::path(compiler[0]).filename().string().find("clang") != std::string::npos;
}

Arguments split_command(const std::string& text) {
  std::istringstream in(text);
  Arguments command;
  for (std::string argument; in >> argument;) command.push_back(argument);
  return command;
}

}  // namespace upcc
