// SPDX-License-Identifier: BSD-3-Clause
// Sections of memory for tests of core/vis, and their bytes by the definition.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "conduits/core/vis/vis.hpp"

namespace upcr::test {

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

inline std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// The addresses of a section's bytes in the order of the stream, by the definition.
inline std::vector<std::uint64_t> bytes_of(const VisSection& s) {
  std::vector<std::uint64_t> all;
  for (std::size_t n = 0; n < s.bytes(); ++n) {
    std::uint64_t a = s.base + n % s.elem;
    std::size_t rest = n / s.elem;
    for (unsigned i = 0; i < s.dims; ++i) {
      a += rest % s.dim[i].count * static_cast<std::uint64_t>(s.dim[i].stride);
      rest /= s.dim[i].count;
    }
    all.push_back(a);
  }
  return all;
}

inline VisSection section(std::uint64_t base, std::size_t elem, std::initializer_list<VisDim> dims) {
  VisSection s(base, elem);
  for (const VisDim& d : dims) s.add(d.count, d.stride);
  return s;
}

// Random sections of dense memory: strides of either sign.
inline VisSection some_section(std::mt19937_64& random, std::uint64_t base, unsigned max_dims) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  VisSection s(base, 1 + below(9));
  auto extent = static_cast<std::ptrdiff_t>(s.elem);
  for (std::size_t i = below(max_dims + 1); i > 0; --i) {
    const auto stride = extent + static_cast<std::ptrdiff_t>(below(2) * below(5));
    const std::size_t count = 1 + below(5);
    s.add(count, below(3) == 0 ? -stride : stride);
    extent = stride * static_cast<std::ptrdiff_t>(count);
  }
  return s;
}

}  // namespace upcr::test
