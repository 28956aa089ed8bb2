// SPDX-License-Identifier: BSD-3-Clause
// Names for addresses of code, read from the symbol tables of the files that are mapped here: static
// functions of the program and the library's hidden ones have names too. For conduits/core/base only.
// Async-signal-safe: system calls and memory, no malloc.
#pragma once
#include "conduits/core/base/system/text.hpp"

namespace upcr {

// Appends "function+0x12 (/path/of/file 0x1234)", with the parts that are known; file and address are what
// addr2line -e takes. `is_return`: `pc` is a return address, so the call before it is what matters.
void add_code_location(SafeText& text, const void* pc, bool is_return) noexcept;

}  // namespace upcr
