// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/report/text.hpp"

#include <cstdarg>
#include <cstdio>

namespace upcr::observe {
namespace {

// `units` by 1000 each; the last one takes what is left.
std::string scaled(double value, const char* const* units, unsigned count) {
  unsigned unit = 0;
  while (unit + 1 < count && value >= 999.5) {
    value /= 1000;
    ++unit;
  }
  const int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return format("%.*f%s", digits, value, units[unit]);
}

}  // namespace

std::string format(const char* pattern, ...) {
  char text[512];
  va_list args;
  va_start(args, pattern);
  std::vsnprintf(text, sizeof text, pattern, args);
  va_end(args);
  return text;
}

std::string text_of_time(std::uint64_t ns) {
  static constexpr const char* kUnits[] = {" ns", " us", " ms", " s"};
  return scaled(static_cast<double>(ns), kUnits, 4);
}

std::string text_of_bytes(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {" B", " kB", " MB", " GB", " TB"};
  return scaled(static_cast<double>(bytes), kUnits, 5);
}

std::string text_of_count(std::uint64_t number) {
  static constexpr const char* kUnits[] = {"", " k", " M", " G", " T"};
  return scaled(static_cast<double>(number), kUnits, 5);
}

std::string text_of_place(std::string_view file, int line) {
  return std::string(file) + ':' + std::to_string(line);
}

}  // namespace upcr::observe
