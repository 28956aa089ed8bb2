// SPDX-License-Identifier: BSD-3-Clause
// Requests that have arrived and cannot be served yet, in the order of arrival.
//
// A held request must not keep a receive buffer that the peers need. What it waits for (room in a send queue,
// or the count that lets a Long reply go on) comes from peers, and they may need a receive buffer here first:
// to send that count, or to get on with what they wait for themselves. With a shared receive queue of one
// buffer that buffer would never be posted again. So:
//
// Where the receives cover the credits (Receives::covers_credits(); always so without a shared queue) a
// request is held in the buffer that it arrived in. A peer has window + 1 buffers for requests, and others
// for everything else (receives_for), so the latter always find one.
//
// Where they do not, the packet is copied, and its receive buffer is posted again in the same poll.
//
// No deadlock, for any number of buffers from one on: whoever waits polls; a process that polls posts each
// buffer again that it takes, whether it can serve or not; so every send to it completes, its peers' send
// queues drain and their counts arrive; so in the end it can serve what it holds.
//
// Memory: a peer has at most as many requests unserved as its window allows, which is one where there are
// fewer receives than its credits allow (IbvConduit::window_here). So copies come to one ReceiveBuffer for
// each connected peer at most; they are allocated when they are needed first, not registered, and kept.
//
// No verbs. On the polling thread, under the conduit's lock.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "conduits/net/ibv/queues/receive_buffer.hpp"

namespace upcr::ibv {

class HeldRequests {
 public:
  bool empty() const noexcept { return first_ == nullptr; }
  // Not when empty().
  const ReceiveBuffer& first() const noexcept { return *first_; }

  // `buffer`, with what its packet came with (ReceiveBuffer::from, bytes), is held as the last one.
  void add(ReceiveBuffer* buffer) noexcept {
    buffer->next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = buffer;
    last_ = buffer;
  }
  // Likewise for a copy of it: the caller keeps `buffer`.
  void add_copy(const ReceiveBuffer& buffer) {
    ReceiveBuffer* copy = unused_copy();
    copy->from = buffer.from;
    copy->bytes = buffer.bytes;
    std::memcpy(copy->packet, buffer.packet, buffer.bytes);
    add(copy);
  }

  // The one that came first. When it has been served: give_back_copy() if is_copy(), else it is posted again.
  ReceiveBuffer* take() noexcept {
    ReceiveBuffer* buffer = first_;
    first_ = buffer->next;
    return buffer;
  }
  static bool is_copy(const ReceiveBuffer& buffer) noexcept { return buffer.is_copy; }
  void give_back_copy(ReceiveBuffer* copy) noexcept {
    copy->next = unused_;
    unused_ = copy;
  }
  // Copies that were ever needed at once.
  std::size_t copies() const noexcept { return copies_.size(); }

 private:
  ReceiveBuffer* unused_copy() {
    if (unused_ == nullptr) {
      copies_.push_back(std::make_unique_for_overwrite<ReceiveBuffer>());
      copies_.back()->is_copy = true;
      return copies_.back().get();
    }
    ReceiveBuffer* copy = unused_;
    unused_ = copy->next;
    return copy;
  }

  ReceiveBuffer *first_ = nullptr, *last_ = nullptr;
  ReceiveBuffer* unused_ = nullptr;
  std::vector<std::unique_ptr<ReceiveBuffer>> copies_;
};

}  // namespace upcr::ibv
