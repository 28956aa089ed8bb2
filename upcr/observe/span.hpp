// SPDX-License-Identifier: BSD-3-Clause
// An operation of the calling UPC thread, from construction to destruction: what the functions of the library
// that are not inlined report. Where nothing is observed it is a load and a branch. Operations inside of
// another are part of it: an allocation's barrier is no barrier of the program.
#pragma once
#include <cstddef>

#include "conduits/core/model/topology.hpp"
#include "upcr/observe/kinds.hpp"

namespace upcr::observe {

// Set before the UPC threads exist.
extern bool observing;

inline constexpr Slot kNobody = ~Slot{0};

// The data that an operation moves: `bytes`, read from the memory of `from`, written to that of `to`.
struct Access {
  std::size_t bytes = 0;
  Slot from = kNobody, to = kNobody;
};

namespace detail {
// False: nothing is counted of it, so its end is not reported.
bool begin(Kind kind, const Access& access) noexcept;
void end() noexcept;
void lock_acquired(std::uint64_t lock) noexcept;
void lock_released(std::uint64_t lock) noexcept;
}  // namespace detail

class Span {
 public:
  explicit Span(Kind kind, const Access& access = {}) noexcept {
    if (__builtin_expect(observing, 0)) counted_ = detail::begin(kind, access);
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  ~Span() {
    if (__builtin_expect(counted_, 0)) detail::end();
  }
  // For locks: the calling thread holds it from now on, or does not any more. `lock`: any name of it, not 0.
  void acquired(std::uint64_t lock) noexcept {
    if (__builtin_expect(observing, 0)) detail::lock_acquired(lock);
  }
  void released(std::uint64_t lock) noexcept {
    if (__builtin_expect(observing, 0)) detail::lock_released(lock);
  }

 private:
  bool counted_ = false;
};

}  // namespace upcr::observe
