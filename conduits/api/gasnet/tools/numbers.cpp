// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/tools/numbers.hpp"

#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "include/gasnet/tools/environment.h"

namespace upcr::gasnet {
namespace {

struct Unit {
  char letter;
  unsigned shift;
};
constexpr Unit kUnits[] = {{'T', 40}, {'G', 30}, {'M', 20}, {'K', 10}, {'B', 0}};

const char* skip_blanks(const char* at) noexcept {
  while (std::isspace(static_cast<unsigned char>(*at))) ++at;
  return at;
}
bool is_digit(char c) noexcept { return std::isdigit(static_cast<unsigned char>(c)); }

// A number without a sign: the whole part and the fraction, 0 <= fraction < 1.
struct Magnitude {
  std::uint64_t whole = 0;
  long double fraction = 0;
};

// Advances *at beyond the number; false when there is none.
bool read_magnitude(const char** at, Magnitude* number) {
  const char* p = *at;
  char* end = nullptr;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && std::isxdigit(static_cast<unsigned char>(p[2]))) {
    number->whole = std::strtoull(p, &end, 16);
    *at = end;
    return true;
  }
  const bool digits = is_digit(p[0]);
  if (!digits && !(p[0] == '.' && is_digit(p[1]))) return false;
  if (digits) {
    number->whole = std::strtoull(p, &end, 10);
    p = end;
  }
  if (*p == '.') {
    long double unit = 0.1L;
    for (++p; is_digit(*p); ++p, unit /= 10) number->fraction += unit * (*p - '0');
  }
  *at = p;
  return true;
}

}  // namespace

bool in_list(const char* list, long number) noexcept {
  for (const char* at = list; *at != '\0';) {
    if (*at == '*') return true;
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    if (end == at) {
      ++at;
      continue;
    }
    const long last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    if (first <= number && number <= last) return true;
    at = end;
  }
  return false;
}

bool read_integer(const char* text, std::uint64_t mem_mult, std::int64_t* value) {
  const char* at = skip_blanks(text);
  const bool negative = *at == '-';
  if (*at == '-' || *at == '+') at = skip_blanks(at + 1);
  Magnitude number;
  if (!read_magnitude(&at, &number)) return false;
  std::uint64_t factor = mem_mult != 0 ? mem_mult : 1;
  if (mem_mult != 0) {
    const int letter = std::toupper(static_cast<unsigned char>(*skip_blanks(at)));
    for (const Unit& unit : kUnits)
      if (letter == unit.letter) factor = std::uint64_t{1} << unit.shift;
  }
  // The small addend rounds 0.1 of a unit, which is no binary fraction, as a user expects.
  const auto part = static_cast<std::uint64_t>(number.fraction * static_cast<long double>(factor) + 1e-6L);
  const std::uint64_t magnitude = number.whole * factor + part;
  *value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool read_real(const char* text, double* value) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  if (end == text) return false;
  const char* at = skip_blanks(end);
  if (*at != '/') {
    *value = number;
    return *at == '\0';
  }
  const char* below = skip_blanks(at + 1);
  const double divisor = std::strtod(below, &end);
  if (end == below || *skip_blanks(end) != '\0' || divisor == 0) return false;
  *value = number / divisor;
  return true;
}

std::string format_real(double value) {
  char buf[64];
  std::snprintf(buf, sizeof buf, "%g", value);
  return buf;
}

extern "C" {

GASNETI_API int64_t gasnett_parse_int(const char* text, uint64_t mem_mult) {
  std::int64_t value = 0;
  return text != nullptr && read_integer(text, mem_mult, &value) ? value : 0;
}

GASNETI_API char* gasnett_format_number(int64_t value, char* buf, size_t bufsz, int is_mem_size) {
  const char* sign = value < 0 ? "-" : "";
  const std::uint64_t magnitude =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  if (is_mem_size) {
    for (const Unit& unit : kUnits) {
      const std::uint64_t size = std::uint64_t{1} << unit.shift, count = magnitude >> unit.shift;
      if (unit.shift != 0 && (count == 0 || (magnitude % size != 0 && count < 10))) continue;
      std::snprintf(buf, bufsz, unit.shift != 0 ? "%s%llu %cB" : "%s%llu B", sign,
                    static_cast<unsigned long long>(count), unit.letter);
      break;
    }
  } else {
    std::snprintf(buf, bufsz, magnitude >> 50 != 0 ? "%s0x%llx" : "%s%llu", sign,
                  static_cast<unsigned long long>(magnitude));
  }
  return buf;
}

}  // extern "C"

}  // namespace upcr::gasnet
