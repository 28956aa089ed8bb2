// SPDX-License-Identifier: BSD-3-Clause
// Figures for people: three digits and a unit; and lines of sources.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace upcr::observe {

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string text_of_time(std::uint64_t ns);                  // "12.3 ms"
std::string text_of_bytes(std::uint64_t bytes);              // "1.50 MB" (10^6)
std::string text_of_count(std::uint64_t number);             // "12.3 k"
std::string text_of_place(std::string_view file, int line);  // "file.upc:55"

}  // namespace upcr::observe
