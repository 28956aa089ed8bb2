// SPDX-License-Identifier: BSD-3-Clause
// iWARP: the completion of a write says that its bytes have left, no more. That they are there is known when
// a read that was posted behind the write comes back, so each peer has at most one such read under way, and
// one stands for all the writes before it. No verbs here.
//
// Under the conduit's lock.
#pragma once
#include "conduits/net/ibv/queues/operations.hpp"

namespace upcr::ibv {

class FlushQueue {
 public:
  bool empty() const noexcept { return first_ == nullptr; }

  // A write is posted. True: a read has to follow; false: one is under way, and flushed() will ask for the
  // next.
  bool written(Operation* write) noexcept {
    write->next = nullptr;
    if (first_ == nullptr)
      first_ = write;
    else
      last_->next = write;
    last_ = write;
    if (covered_ != nullptr) return false;
    covered_ = write;
    return true;
  }
  // The read has come back: over(write) for each write that it stands for, oldest first. True: another read
  // has to follow now, for those that were posted since.
  template <typename Over>
  bool flushed(Over&& over) {
    for (bool more = covered_ != nullptr; more;) {
      Operation* write = first_;
      more = write != covered_;
      first_ = write->next;
      over(write);
    }
    covered_ = first_ != nullptr ? last_ : nullptr;
    return covered_ != nullptr;
  }

 private:
  Operation *first_ = nullptr, *last_ = nullptr;
  Operation* covered_ = nullptr;  // the last one that the read under way stands for
};

}  // namespace upcr::ibv
