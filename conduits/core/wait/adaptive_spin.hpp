// SPDX-License-Identifier: BSD-3-Clause
// Spins on a condition in shared memory that another thread is about to make true: for a few hundred
// nanoseconds, before wait_until() begins, only that memory is read. Each test in wait_until() costs a poll
// and a pause, which takes as long as the transfer of a cache line from core to core.
//
// The number of tests falls when spins have failed lately: then the other thread needs this CPU, or computes.
// No peer is served meanwhile, so the caller polls before or after. Adaptive spin: Karlin, Li, Manasse,
// Owicki, Empirical studies of competitive spinning (SOSP 1991).
#pragma once
#include <algorithm>
#include <cstdint>

#include "conduits/core/base/system/cpu.hpp"

namespace upcr {

class AdaptiveSpin {
 public:
  // True if ready() became true within the spin.
  template <typename Ready>
  bool operator()(Ready&& ready) noexcept {
    for (std::uint32_t i = 0; i < limit_; ++i) {
      if (!ready()) {
        cpu_pause();
        continue;
      }
      limit_ = std::min(limit_ + limit_ / 2, kMaxSpins);
      return true;
    }
    limit_ = std::max(limit_ / 2, kMinSpins);
    return false;
  }

 private:
  static constexpr std::uint32_t kMinSpins = 2, kMaxSpins = 64;
  std::uint32_t limit_ = kMaxSpins / 4;
};

}  // namespace upcr
