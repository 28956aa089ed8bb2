// SPDX-License-Identifier: BSD-3-Clause
// Work of one thread in a call that a second thread, which would only wait for it, does a part of: pieces,
// each claimed by one of the two. The owner offers the work before the helper learns that it is in the call,
// both claim pieces until none is left, and the owner continues when the helper's pieces are done. The
// owner's pieces are the first ones, the helper's the last ones, so each knows its next piece from the number
// of those that it has done.
//
// A late helper may claim when the owner is in a later call and has offered other work. So the counter of
// claims includes the call's number, and a claim for another call fails. Calls are numbered from 1;
// zero-filled memory is the initial state.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/core/base/system/cpu.hpp"

namespace upcr::coll {

class alignas(kCacheLine) SharedWork {
 public:
  using Call = std::uint64_t;
  using Count = std::uint32_t;
  static constexpr Count kMaxPieces = 4095;

  // By the owner.
  void offer(Call call) noexcept {
    helper_done_.store(0, std::memory_order_relaxed);
    claimed_.store(call * kPerCall, std::memory_order_relaxed);
  }
  bool helper_done(Count pieces) const noexcept {
    return helper_done_.load(std::memory_order_acquire) == pieces;
  }

  // By both. True: the caller has claimed one of so many pieces.
  bool claim(Call call, Count pieces) noexcept {
    Call claimed = claimed_.load(std::memory_order_relaxed);
    do {
      if (claimed - call * kPerCall >= pieces) return false;  // also true of every other call's counter
    } while (!claimed_.compare_exchange_weak(claimed, claimed + 1, std::memory_order_relaxed));
    return true;
  }

  // By the helper: it has done so many pieces.
  void set_helper_done(Count pieces) noexcept { helper_done_.store(pieces, std::memory_order_release); }

 private:
  static constexpr Call kPerCall = kMaxPieces + 1;
  std::atomic<Call> claimed_;       // in call n: n * kPerCall plus the pieces that are claimed
  std::atomic<Count> helper_done_;  // pieces that the helper has done
};

}  // namespace upcr::coll
