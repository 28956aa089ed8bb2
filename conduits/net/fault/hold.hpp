// SPDX-License-Identifier: BSD-3-Clause
// What hold.h has asked for, as the conduit sees it. Any thread; there is one for the process, because a test
// knows no conduit.
#pragma once
#include <atomic>

namespace upcr {

struct Hold {
  std::atomic<unsigned> next{0};  // requests to keep
  std::atomic<unsigned> kept{0};
  std::atomic<unsigned> releases{0};  // a request that was kept leaves when this changes
  std::atomic<unsigned long> sent{0}, polls{0};

  // True for a request that is to be kept.
  bool takes() noexcept {
    unsigned n = next.load(std::memory_order_relaxed);
    while (n != 0)
      if (next.compare_exchange_weak(n, n - 1)) return true;
    return false;
  }
};
Hold& hold() noexcept;

}  // namespace upcr
