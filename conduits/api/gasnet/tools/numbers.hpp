// SPDX-License-Identifier: BSD-3-Clause
// Numbers as users write them. Any thread.
#pragma once
#include <cstdint>
#include <string>

namespace upcr::gasnet {

// As gasnett_parse_int() (gasnet/tools/environment.h); false when there is no number at the start.
bool read_integer(const char* text, std::uint64_t mem_mult, std::int64_t* value);
// "1.5", "1e-3", "1/3"; false when the text is anything else.
bool read_real(const char* text, double* value);
std::string format_real(double value);
// Whether the list "0,2-4" contains `number`; one with * contains all. Async-signal-safe.
bool in_list(const char* list, long number) noexcept;

}  // namespace upcr::gasnet
