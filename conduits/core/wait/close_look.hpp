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

class CloseLook {
 public:
  // Has `ready()` come to hold?
  template <typename Ready>
  bool operator()(Ready&& ready) noexcept {
    for (std::uint32_t i = 0; i < looks_; ++i) {
      if (!ready()) {
        cpu_pause();
        continue;
      }
      looks_ = std::min(looks_ + looks_ / 2, kMost);
      return true;
    }
    looks_ = std::max(looks_ / 2, kLeast);
    return false;
  }

 private:
  static constexpr std::uint32_t kLeast = 2, kMost = 64;
  std::uint32_t looks_ = kMost / 4;
};

}  // namespace upcr
