// SPDX-License-Identifier: BSD-3-Clause
// Remote completion of writes on iWARP. The completion of a write says no more than that its bytes have left.
// They have arrived when a read that was posted behind the write is complete; there is at most one such read
// in progress with each peer, and it flushes all writes before it. No verbs here.
//
// Threads: under the lock of the send path.
#pragma once
#include <cstddef>

#include "conduits/net/ibv/queues/operations.hpp"

namespace upcr::ibv {

// Of such a read, whose data nobody looks at.
inline constexpr std::size_t kFlushBytes = 128;

class FlushQueue {
 public:
  bool empty() const noexcept { return first_ == nullptr; }

  // A write is posted. True: a read has to be posted behind it; false: one is in progress, and flushed() will
  // ask for the next one.
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
  // The read is complete: calls over(write) for each write that it has flushed, oldest first. True: another
  // read has to be posted now, for the writes since.
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
  Operation* covered_ = nullptr;  // the last one that the read in progress flushes
};

}  // namespace upcr::ibv
