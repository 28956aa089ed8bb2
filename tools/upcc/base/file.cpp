// SPDX-License-Identifier: BSD-3-Clause
// See file.hpp.
#include "tools/upcc/base/file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tools/upcc/base/process.hpp"

namespace upcc {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    fatal(path + ": cannot read this file; does it exist, and may you read it?");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  const bool opened = file.is_open();
  file << text;
  if (file.flush()) return;
  file.close();
  std::error_code ignored;
  // Part of it; what could not be opened is as it was.
  const std::filesystem::file_status status = std::filesystem::symlink_status(path, ignored);
  if (opened && std::filesystem::is_regular_file(status)) std::filesystem::remove(path, ignored);
  fatal("cannot write " + path + "; does its folder exist, may you write there, is the disk full?");
}

bool is_writable(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (::access(path.c_str(), F_OK) == 0) return ::access(path.c_str(), W_OK) == 0;
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

}  // namespace upcc
