// SPDX-License-Identifier: BSD-3-Clause
// What of the kinds that UPCR_TRACE chose is recorded at the moment: bupc_trace_setmask() and
// bupc_trace_settracelocal(). For all UPC threads of the process.
#pragma once
#include <atomic>
#include <cstdint>

#include "upcr/observe/kinds.hpp"

namespace upcr::observe {

class TraceMask {
 public:
  // Nothing is left out.
  bool lets_all_pass() const noexcept { return word_.load(std::memory_order_relaxed) == ~std::uint64_t{0}; }
  // `own`: an access of the thread's own memory alone. Counters pass always: a value that is left out would
  // make those after it wrong.
  bool lets_pass(Kind kind, bool own) const noexcept {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    return is_counter(kind) || ((word & bit_of(kind)) != 0 && (!own || (word & kLocal) != 0));
  }
  bool local() const noexcept { return (word_.load(std::memory_order_relaxed) & kLocal) != 0; }

  // A bit for each kind.
  void set_kinds(std::uint64_t kinds) noexcept { change(~kLocal, kinds & ~kLocal); }
  void set_local(bool on) noexcept { change(kLocal, on ? kLocal : 0); }

  static constexpr std::uint64_t bit_of(Kind kind) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }

 private:
  static constexpr std::uint64_t kLocal = std::uint64_t{1} << 63;
  static_assert(kKinds < 64);

  void change(std::uint64_t bits, std::uint64_t to) noexcept {
    std::uint64_t now = word_.load(std::memory_order_relaxed);
    while (!word_.compare_exchange_weak(now, (now & ~bits) | to, std::memory_order_relaxed)) {
    }
  }

  std::atomic<std::uint64_t> word_{~std::uint64_t{0}};
};
inline TraceMask trace_mask;

}  // namespace upcr::observe
