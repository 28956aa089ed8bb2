// SPDX-License-Identifier: BSD-3-Clause
// Operations that are in progress in one send queue, oldest first. Work requests of a queue pair complete in
// order, so the completion of a signalled one is that of all operations before it, which need no signal of
// their own. Not for what completes in an order of its own (iWARP: flush_queue.hpp). No verbs here.
//
// Threads: under the lock of the send path.
#pragma once
#include <cstdint>

#include "conduits/net/ibv/queues/operations.hpp"

namespace upcr::ibv {

class CoveredQueue {
 public:
  bool empty() const noexcept { return first_ == nullptr; }

  // Its work request is posted, and has its number in the SendQueue.
  void add(Operation* op) noexcept {
    op->next = nullptr;
    if (first_ == nullptr)
      first_ = op;
    else
      last_->next = op;
    last_ = op;
  }
  // The work request with this number, of an operation or of a message, is complete: calls over(op) for each
  // operation up to it, oldest first.
  template <typename Over>
  void complete(std::uint16_t number, Over&& over) {
    while (first_ != nullptr && static_cast<std::int16_t>(number - first_->number) >= 0) {
      Operation* const op = first_;
      first_ = op->next;
      over(op);
    }
  }

 private:
  Operation *first_ = nullptr, *last_ = nullptr;
};

}  // namespace upcr::ibv
