// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/steps.hpp"

#include <bit>
#include <cstring>

namespace upcr {
namespace {

using Pair [[gnu::vector_size(16)]] = std::uint64_t;
using Halves [[gnu::vector_size(16)]] = std::uint32_t;
using Words [[gnu::vector_size(16)]] = std::uint16_t;

Pair load(const void* two) noexcept {
  Pair p;
  std::memcpy(&p, two, sizeof p);
  return p;
}

// Entries of both kinds of lists. pair() returns the addresses of two, and sets bits of `differ` if a length
// is not `length`.
struct Addresses {
  const std::uint64_t* list;
  std::uint64_t at(std::size_t i) const noexcept { return list[i]; }
  bool fits(std::size_t) const noexcept { return true; }
  [[gnu::always_inline]] Pair pair(std::size_t i, Pair&) const noexcept { return load(list + i); }
};
struct Regions {
  const VisRegion* list;
  std::size_t length;
  std::uint64_t at(std::size_t i) const noexcept { return list[i].address; }
  bool fits(std::size_t i) const noexcept { return list[i].bytes == length; }
  [[gnu::always_inline]] Pair pair(std::size_t i, Pair& differ) const noexcept {
    static_assert(offsetof(VisRegion, address) == 0 && sizeof(VisRegion) == sizeof(Pair));
    const Pair a = load(list + i), b = load(list + i + 1);
    differ |= __builtin_shufflevector(a, b, 1, 3) ^ length;
    return __builtin_shufflevector(a, b, 0, 2);
  }
};

// The lower halves of four numbers.
[[gnu::always_inline]] inline Halves lower(Pair a, Pair b) noexcept {
  return __builtin_shufflevector(reinterpret_cast<Halves>(a), reinterpret_cast<Halves>(b), 0, 2, 4, 6);
}
// Eight numbers below 2^16.
[[gnu::always_inline]] inline Words words(Halves a, Halves b) noexcept {
  const auto first = reinterpret_cast<Pair>(a), second = reinterpret_cast<Pair>(b);
  return reinterpret_cast<Words>(lower(first | first >> 16, second | second >> 16));
}

constexpr std::size_t kEight = sizeof(Words) / sizeof(std::uint16_t);
constexpr std::uint16_t kZero = 1u << 15;  // what is added to each step, so that none is negative

// While all of eight entries fit. `lowest`: the lowest address that a step reaches. `outside`: the bits that
// no distance from it has.
template <typename List>
std::size_t write_eights(List list, std::size_t most, std::uint64_t lowest, std::uint64_t outside,
                         unsigned step, char* to) noexcept {
  std::size_t i = 0;
  for (; most - i >= kEight; i += kEight, to += sizeof(Words)) {
    Pair differ{};
    const Pair a = list.pair(i, differ) - lowest, b = list.pair(i + 2, differ) - lowest,
               c = list.pair(i + 4, differ) - lowest, d = list.pair(i + 6, differ) - lowest;
    const Pair wrong = ((a | b | c | d) & outside) | differ;
    if ((wrong[0] | wrong[1]) != 0) break;
    const Words steps = words(lower(a, b) >> step, lower(c, d) >> step) ^ kZero;
    std::memcpy(to, &steps, sizeof steps);
  }
  return i;
}

template <typename List>
std::size_t write(List list, std::size_t most, unsigned step, char* to) noexcept {
  const std::uint64_t lowest = list.at(0) - (std::uint64_t{kZero} << step);
  const std::uint64_t outside = ~((std::uint64_t{1} << (16 + step)) - (std::uint64_t{1} << step));
  std::size_t i = 0;
  if constexpr (std::endian::native == std::endian::little)
    i = write_eights(list, most, lowest, outside, step, to);
  for (; i < most && list.fits(i) && ((list.at(i) - lowest) & outside) == 0; ++i) {
    const auto word = static_cast<std::uint16_t>(((list.at(i) - lowest) >> step) ^ kZero);
    std::memcpy(to + i * sizeof word, &word, sizeof word);
  }
  return i;
}

}  // namespace

std::size_t vis_write_steps(const std::uint64_t* addresses, std::size_t most, unsigned step,
                            char* to) noexcept {
  return write(Addresses{addresses}, most, step, to);
}

std::size_t vis_write_steps(const VisRegion* regions, std::size_t most, unsigned step, char* to) noexcept {
  return write(Regions{regions, regions->bytes}, most, step, to);
}

}  // namespace upcr
