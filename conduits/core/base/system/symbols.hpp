// SPDX-License-Identifier: BSD-3-Clause
// Symbol names of code addresses, read from the symbol tables of the files that are mapped in this process:
// unlike dladdr() it finds static functions and hidden ones, too. For conduits/core/base only.
// Async-signal-safe: system calls and memory, no malloc.
#pragma once
#include "conduits/core/base/system/text.hpp"

namespace upcr {

// Appends "function+0x12 (/path/of/file 0x1234)", with the parts that are known; file and address are
// arguments of addr2line -e. `is_return`: `pc` is a return address, and the call before it is meant.
void add_code_location(SafeText& text, const void* pc, bool is_return) noexcept;

}  // namespace upcr
