// SPDX-License-Identifier: BSD-3-Clause
// Symbol names of code addresses, read from the symbol tables of the files that are mapped in this process:
// unlike dladdr() it finds static functions and hidden ones, too. For conduits/core/base only.
// Async-signal-safe: system calls and memory, no malloc.
#pragma once
#include <cstdint>
#include <string_view>

#include "conduits/core/base/system/text.hpp"

namespace upcr {

// A code address in its file. `path` lives as long as the file is mapped here.
struct CodePlace {
  const char* path = nullptr;  // null: in no file
  std::uint64_t address = 0;   // as the file was linked: an argument of addr2line -e; in no file: as given
};
// `is_return`: `pc` is a return address, and the call before it is meant.
CodePlace find_code(const void* pc, bool is_return) noexcept;
// The path by which this process can open the file: the program's own path may be relative to a folder that
// it has left.
const char* path_to_open(const CodePlace& place) noexcept;

// Appends "function+0x12", or nothing when it is not known.
void add_function(SafeText& text, const CodePlace& place, bool is_return) noexcept;
// Appends "function+0x12 (/path/of/file 0x1234)", with the parts that are known. `line`: of the source, comes
// before the file.
void add_code_location(SafeText& text, const void* pc, bool is_return, std::string_view line = {}) noexcept;

}  // namespace upcr
