// SPDX-License-Identifier: BSD-3-Clause
// See inputs.hpp.
#include "tools/upcc/options/inputs.hpp"

#include <filesystem>
#include <set>

namespace upcc {

namespace {

bool is_of_link(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".o" || extension == ".a" || extension == ".so" ||
         file.filename().string().find(".so.") != std::string::npos;
}

}  // namespace

InputKind kind_of_file(const std::string& path, const std::string& language) {
  static const std::set<std::string> kCxxExtensions = {".cc",  ".cpp", ".cxx", ".c++", ".C",
                                                       ".CPP", ".cp",  ".ii",  ".hpp"};
  static const std::set<std::string> kOtherExtensions = {".i",   ".s",   ".S",   ".sx",  ".f", ".F",
                                                         ".for", ".f90", ".F90", ".f95", ".h"};
  if (language == "c")
    return path == "-" ? InputKind::kOtherSource : InputKind::kC;  // "-" cannot be read twice
  if (language.compare(0, 3, "c++") == 0) return InputKind::kCxx;
  const std::filesystem::path file(path);
  const std::string extension = file.extension().string();
  // CFLAGS="-x upc" stands on links as well.
  if (language == "upc" && is_of_link(file)) return InputKind::kLinkFile;
  if (language == "upc") return InputKind::kUpc;
  if (!language.empty() || path == "-") return InputKind::kOtherSource;
  if (extension == ".upc") return InputKind::kUpc;
  if (extension == ".c") return InputKind::kC;
  if (kCxxExtensions.count(extension) != 0) return InputKind::kCxx;
  return kOtherExtensions.count(extension) != 0 ? InputKind::kOtherSource : InputKind::kLinkFile;
}

}  // namespace upcc
