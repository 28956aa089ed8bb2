// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/statics/static_type.hpp"

#include <cstdint>

namespace upcr {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The decimal number at `p`, which is moved behind it. Nothing when there is none or it is too large.
std::optional<std::size_t> number_at(const char*& p) {
  if (!is_digit(*p)) return std::nullopt;
  std::size_t value = 0;
  for (; is_digit(*p); ++p)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, static_cast<std::size_t>(*p - '0'), &value))
      return std::nullopt;
  return value;
}

}  // namespace

std::optional<StaticLayout> layout_of_type(const char* type, std::size_t element_bytes, std::size_t threads) {
  if (type == nullptr || element_bytes == 0) return std::nullopt;
  std::size_t elements = 1;
  const char* p = type;
  while (*p == 'A') {
    ++p;
    const auto extent = number_at(p);
    if (!extent || *extent == 0 || __builtin_mul_overflow(elements, *extent, &elements)) return std::nullopt;
    if (*p == 'H') {
      ++p;
      if (__builtin_mul_overflow(elements, threads, &elements)) return std::nullopt;
    }
    if (*p++ != '_') return std::nullopt;
  }
  if (*p++ != 'R') return std::nullopt;
  auto block = number_at(p);
  if (!block || *p != '_') return std::nullopt;
  if (*block == 0 || *block > elements) block = elements;  // all on one thread
  StaticLayout layout{(elements - 1) / *block + 1, 0};
  std::size_t all;
  if (__builtin_mul_overflow(*block, element_bytes, &layout.block_bytes) ||
      __builtin_mul_overflow(layout.blocks, layout.block_bytes, &all))
    return std::nullopt;
  return layout;
}

}  // namespace upcr
