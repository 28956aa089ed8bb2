// SPDX-License-Identifier: BSD-3-Clause
// Waiting for what another thread is about to store in shared memory: a few hundred nanoseconds in which
// nothing but that memory is looked at, before wait_until() begins. A look in wait_until() costs a poll and a
// pause, which is as long as a cache line takes from core to core.
//
// Looks are few where they were in vain lately: the other thread needs this CPU, or computes. Nobody is
// served meanwhile, so the caller polls before or after.
#pragma once
#include <algorithm>
#include <cstdint>

#include "conduits/core/base/system/cpu.hpp"

namespace upcr {

class AdaptiveSpin {
 public:
  // Has `ready()` come to hold?
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
