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
  // `own`: an access of the thread's own memory.
  bool lets_pass(Kind kind, bool own) const noexcept {
    return (kinds_.load(std::memory_order_relaxed) >> static_cast<unsigned>(kind) & 1) != 0 &&
           (!own || local_.load(std::memory_order_relaxed));
  }
  // Nothing is left out.
  bool lets_all_pass() const noexcept { return !narrowed_.load(std::memory_order_relaxed); }

  void set_kinds(std::uint64_t kinds) noexcept {
    kinds_.store(kinds, std::memory_order_relaxed);
    note_change();
  }
  bool local() const noexcept { return local_.load(std::memory_order_relaxed); }
  void set_local(bool on) noexcept {
    local_.store(on, std::memory_order_relaxed);
    note_change();
  }

 private:
  void note_change() noexcept {
    narrowed_.store(kinds_.load(std::memory_order_relaxed) != ~std::uint64_t{0} ||
                        !local_.load(std::memory_order_relaxed),
                    std::memory_order_relaxed);
  }

  std::atomic<bool> narrowed_{false}, local_{true};
  std::atomic<std::uint64_t> kinds_{~std::uint64_t{0}};  // a bit for each
};
inline TraceMask trace_mask;

}  // namespace upcr::observe
