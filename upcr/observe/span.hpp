// SPDX-License-Identifier: BSD-3-Clause
// An operation of the calling UPC thread, from construction to destruction: what the functions of the library
// that are not inlined report. Where nothing is observed it is a load and a branch. Operations inside of
// another are part of it: an allocation's barrier is no barrier of the program.
#pragma once
#include <cstddef>

#include "conduits/core/model/topology.hpp"
#include "upcr/observe/kinds.hpp"

namespace upcr::observe {

// Set before the UPC threads exist. `counting`: a trace with counters is recorded.
extern bool observing, counting;

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
void in_flight(std::int64_t change) noexcept;
void implicit_started(bool get, std::size_t bytes) noexcept;
void implicit_over(bool gets, bool puts) noexcept;
void heap_used(std::uint64_t local, std::uint64_t global) noexcept;
}  // namespace detail

// The counter of bytes in flight: of non-blocking operations that have started and are not complete.
// (Blocking ones are known by their spans.) Those without a handle are complete together.
inline void in_flight(std::int64_t change) noexcept {
  if (__builtin_expect(counting, 0)) detail::in_flight(change);
}
inline void implicit_started(bool get, std::size_t bytes) noexcept {
  if (__builtin_expect(counting, 0)) detail::implicit_started(get, bytes);
}
inline void implicit_over(bool gets, bool puts) noexcept {
  if (__builtin_expect(counting, 0)) detail::implicit_over(gets, puts);
}
// The counter of the heap: allocated bytes of the calling thread's segment. `global`: ~0: not known here.
inline void heap_used(std::uint64_t local, std::uint64_t global) noexcept {
  if (__builtin_expect(counting, 0)) detail::heap_used(local, global);
}

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
