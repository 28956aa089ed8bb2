// SPDX-License-Identifier: BSD-3-Clause
// See temp_dir.hpp.
#include "tools/upcc/base/temp_dir.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tools/upcc/base/process.hpp"

namespace upcc {
namespace {

std::string& folder() {
  static std::string* path = new std::string;  // lives until the last atexit function
  return *path;
}

void make_folder() {
  const char* tmp = ::secure_getenv("TMPDIR");
  std::string name = std::string(tmp != nullptr && *tmp != 0 ? tmp : "/tmp") + "/upcc-XXXXXX";
  if (command_mode.run) {
    if (mkdtemp(name.data()) == nullptr)
      fatal("cannot make the temporary folder " + name + ": " + std::strerror(errno) + "; set TMPDIR");
    std::atexit(remove_temp_dir);
  }
  folder() = name;
}

}  // namespace

std::string temp_file(const std::string& name) {
  if (folder().empty()) make_folder();
  return folder() + "/" + name;
}

void remove_temp_dir() {
  if (folder().empty() || !command_mode.run) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder(), ignored);
  folder().clear();
}

}  // namespace upcc
