// SPDX-License-Identifier: BSD-3-Clause
// The inputs of a command line, and what kind each of them is. The kind decides which jobs an input needs
// (tools/upcc/jobs/jobs.hpp).
#pragma once
#include <string>

namespace upcc {

enum class InputKind {
  kUpc,          // UPC source: is translated to C before it is compiled
  kTranslation,  // C that upcc has made of UPC source; only of jobs
  kC,            // C from a UPC-to-C translator, UPC, or other C: the contents tell which
  kCxx,          // C++
  kOtherSource,  // assembly, preprocessed C, Fortran ...: goes to the compiler as it is
  kLinkFile,     // an object, an archive or a shared library
  kLinkOption,   // an option of the linker's, which keeps its place among the files
};

struct Input {
  std::string argument;  // a path; of a kLinkOption the option
  InputKind kind = InputKind::kLinkFile;
  std::string language;  // of the -x before it, or empty

  bool is_source() const { return kind != InputKind::kLinkFile && kind != InputKind::kLinkOption; }
};

// The kind of a file by its name, or by `language`, which is what -x says or empty.
InputKind kind_of_file(const std::string& path, const std::string& language);

}  // namespace upcc
