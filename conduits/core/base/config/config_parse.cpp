// SPDX-License-Identifier: BSD-3-Clause
// Parsing and describing values of environment variables.
#include "conduits/core/base/config/config_parse.hpp"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

namespace upcr {
namespace {

bool is_one_of(const char* text, std::initializer_list<const char*> values) noexcept {
  return std::any_of(values.begin(), values.end(), [=](const char* v) { return strcasecmp(text, v) == 0; });
}

// K, KB, M, ... as a power of two; -1: not a unit.
int unit_shift(std::string_view unit) noexcept {
  if (unit.empty() || unit == "B" || unit == "b") return 0;
  if (unit.size() > 2 || (unit.size() == 2 && (unit[1] | 0x20) != 'b')) return -1;
  switch (unit[0] | 0x20) {
    case 'k':
      return 10;
    case 'm':
      return 20;
    case 'g':
      return 30;
    case 't':
      return 40;
    default:
      return -1;
  }
}

// "a", "a or b", "a, b or c" from "a|b|c".
std::string in_words(const char* choices) {
  std::string words = choices;
  const std::size_t last = words.rfind('|');
  if (last != std::string::npos) words.replace(last, 1, " or ");
  for (std::size_t at; (at = words.find('|')) != std::string::npos;) words.replace(at, 1, ", ");
  return words;
}

std::string describe_range(const char* range) {
  std::int64_t min = 0, max = 0;
  parse_range(range, &min, &max);
  const bool low = min != std::numeric_limits<std::int64_t>::min();
  const bool high = max != std::numeric_limits<std::int64_t>::max();
  if (low && high) return "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  if (low) return "a whole number, " + std::to_string(min) + " or more";
  if (high) return "a whole number, " + std::to_string(max) + " or less";
  return "a whole number";
}

}  // namespace

bool parse_bool(const char* text, bool* value) noexcept {
  if (is_one_of(text, {"yes", "y", "true", "on", "1"})) {
    *value = true;
    return true;
  }
  if (is_one_of(text, {"no", "n", "false", "off", "0"})) {
    *value = false;
    return true;
  }
  return false;
}

bool parse_int(const char* text, std::int64_t* value) noexcept {
  if (text[0] == '+' && text[1] != '-') ++text;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, *value);
  return error == std::errc{} && stop == end;
}

bool parse_size(const char* text, std::uint64_t* bytes) {
  const char* end = text + std::strlen(text);
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc{}) return false;
  const int shift = unit_shift({stop, static_cast<std::size_t>(end - stop)});
  if (shift < 0 || number > std::numeric_limits<std::uint64_t>::max() >> shift) return false;
  *bytes = number << shift;
  return true;
}

bool parse_megabytes(const char* text, std::uint64_t* bytes) {
  constexpr std::uint64_t kMaxMegabytes = 1 << 20;
  std::uint64_t number = 0;
  if (!parse_size(text, &number)) return false;
  const char last = text[std::strlen(text) - 1];
  const bool has_unit = last < '0' || last > '9';
  if (!has_unit && number >= kMaxMegabytes) return false;
  *bytes = has_unit ? number : number << 20;
  return true;
}

const char* format_size(std::uint64_t bytes, char* buf, std::size_t size) {
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 64 << 10) {
    std::snprintf(buf, size, "%u byte%s", static_cast<unsigned>(bytes), bytes == 1 ? "" : "s");
    return buf;
  }
  int unit = 0;
  while (unit < 5 && bytes >> (10 * (unit + 2)) != 0) ++unit;
  char number[32];
  std::snprintf(number, sizeof number, "%.2f",
                static_cast<double>(bytes) / static_cast<double>(std::uint64_t{1} << (10 * (unit + 1))));
  std::size_t n = std::strlen(number);
  while (number[n - 1] == '0') --n;
  if (number[n - 1] == '.') --n;
  std::snprintf(buf, size, "%.*s %s", static_cast<int>(n), number, kUnits[unit]);
  return buf;
}

void parse_range(const char* range, std::int64_t* min, std::int64_t* max) noexcept {
  *min = std::numeric_limits<std::int64_t>::min();
  *max = std::numeric_limits<std::int64_t>::max();
  if (range == nullptr) return;
  const char* dots = std::strstr(range, "..");
  if (dots == nullptr) return;
  if (dots != range) std::from_chars(range, dots, *min);
  if (dots[2] != '\0') std::from_chars(dots + 2, dots + std::strlen(dots), *max);
}

std::string_view find_choice(const char* choices, const char* text) noexcept {
  const std::size_t n = std::strlen(text);
  for (const char* at = choices; at != nullptr && n != 0;) {
    const char* bar = std::strchr(at, '|');
    const std::size_t length = bar != nullptr ? static_cast<std::size_t>(bar - at) : std::strlen(at);
    if (length == n && strncasecmp(at, text, n) == 0) return {at, length};
    at = bar != nullptr ? bar + 1 : nullptr;
  }
  return {};
}

bool valid_value(const ConfigVar& var, const char* text, std::string* expected) {
  bool flag = false;
  std::int64_t number = 0, min = 0, max = 0;
  std::uint64_t bytes = 0;
  switch (var.type) {
    case ConfigType::kString:
    case ConfigType::kCode:
      return true;
    case ConfigType::kBool:
      if (parse_bool(text, &flag)) return true;
      break;
    case ConfigType::kInt:
      parse_range(var.choices, &min, &max);
      if (parse_int(text, &number) && number >= min && number <= max) return true;
      break;
    case ConfigType::kChoice:
      if (!find_choice(var.choices, text).empty()) return true;
      break;
    case ConfigType::kSize:
      if (parse_size(text, &bytes)) return true;
      *expected = "a number with K, M, G, KB, MB or GB";
      return false;
    case ConfigType::kMegabytes:
      if (parse_megabytes(text, &bytes)) return true;
      *expected = "a number with K, M, G, KB, MB, GB or B, or of megabytes below 1048576";
      return false;
  }
  *expected = describe_values(var);
  return false;
}

std::string describe_values(const ConfigVar& var) {
  switch (var.type) {
    case ConfigType::kBool:
      return "yes or no";
    case ConfigType::kInt:
      return describe_range(var.choices);
    case ConfigType::kSize:
      return "a size";
    case ConfigType::kMegabytes:
      return "a size; MB without a unit";
    case ConfigType::kChoice:
      return in_words(var.choices);
    case ConfigType::kCode:
      return "a path or command";
    case ConfigType::kString:
      break;
  }
  return "text";
}

}  // namespace upcr
