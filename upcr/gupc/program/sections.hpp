// SPDX-License-Identifier: BSD-3-Clause
// The linker sections of a program compiled by GCC-UPC or Clang-UPC, found by the symbols around them
// (include/upcr/gccupc.h). Constant from the moment the program is loaded; any thread.
#pragma once
#include <cstddef>
#include <string_view>

namespace upcr::gupc {

struct Bytes {
  const char* begin = nullptr;  // null: the program has no such section
  const char* end = nullptr;
  std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

using InitFunction = void (*)();
struct InitArray {
  const InitFunction* begin = nullptr;
  const InitFunction* end = nullptr;
};

Bytes shared_section();
InitArray init_array();
std::string_view program_info();  // the strings of all files, each ended by zeros

// Fatal when a section has a beginning and no end, or its end is not behind its beginning.
void check_sections();

}  // namespace upcr::gupc
