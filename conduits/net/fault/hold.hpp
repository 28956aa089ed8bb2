// SPDX-License-Identifier: BSD-3-Clause
// The requests of hold.h, as the conduit sees them. Any thread; one for the process, because a test has no
// access to the conduit.
#pragma once
#include <atomic>

namespace upcr {

struct Hold {
  std::atomic<unsigned> next{0};  // requests to hold
  std::atomic<unsigned> kept{0};
  std::atomic<unsigned> releases{0};  // a held request is sent when this changes
  std::atomic<unsigned long> sent{0}, polls{0};

  // Is this request to be held?
  bool should_hold() noexcept {
    unsigned n = next.load(std::memory_order_relaxed);
    while (n != 0)
      if (next.compare_exchange_weak(n, n - 1)) return true;
    return false;
  }
};
Hold& hold() noexcept;

}  // namespace upcr
