// SPDX-License-Identifier: BSD-3-Clause
// A thread's work in one call that another one, which would wait for it, takes a part of: pieces, each taken
// by one of the two. The owner offers it before the helper learns that it is in the call, both take until
// nothing is left, and the owner goes on when what the helper took has landed. Owner takes from the front,
// helper from the back, so that each knows from the number of its own pieces which one the next is.
//
// A helper may be late: it looks for more when the owner has long gone on, and has offered work of a later
// call. So what is taken is counted with the call's number, and of another call's nothing is taken. Calls are
// numbered from 1; zero-filled memory is as it starts.
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
    consumed_.store(call * kPerCall, std::memory_order_relaxed);
  }
  bool helper_done(Count pieces) const noexcept {
    return helper_done_.load(std::memory_order_acquire) == pieces;
  }

  // By both. True: one more of so many pieces is the caller's.
  bool take(Call call, Count pieces) noexcept {
    Call taken = consumed_.load(std::memory_order_relaxed);
    do {
      if (taken - call * kPerCall >= pieces) return false;  // another call's is far off, on either side
    } while (!consumed_.compare_exchange_weak(taken, taken + 1, std::memory_order_relaxed));
    return true;
  }

  // By the helper: so many of its pieces are done.
  void land(Count pieces) noexcept { helper_done_.store(pieces, std::memory_order_release); }

 private:
  static constexpr Call kPerCall = kMaxPieces + 1;
  std::atomic<Call> consumed_;      // of call n: n * kPerCall and the number of pieces
  std::atomic<Count> helper_done_;  // the helper's
};

}  // namespace upcr::coll
