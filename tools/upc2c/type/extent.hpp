// SPDX-License-Identifier: BSD-3-Clause
// Numbers of elements and bytes that may depend on THREADS.
#pragma once
#include <cstdint>

namespace upc2c {

// factor, or factor * THREADS. In the static environment THREADS is a number and `threads` is never set.
struct Extent {
  std::int64_t factor = 0;
  bool threads = false;

  bool operator==(const Extent&) const = default;
};

// ceil(a / b) of a non-negative and a positive number.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace upc2c
