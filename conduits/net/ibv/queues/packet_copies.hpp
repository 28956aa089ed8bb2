// SPDX-License-Identifier: BSD-3-Clause
// Copies of requests that are held (core/transport/credited/channel.hpp), for receive queues that are shorter
// than the credits of all peers.
//
// A held request must not keep a receive buffer that the peers need. What it waits for (room in a send queue,
// or the acknowledgement that lets a Long reply go on) comes from peers, and they may need a receive buffer
// here first: to send that acknowledgement, or to make progress with what they wait for themselves. With a
// shared receive queue of one buffer that buffer would never be posted again. So:
//
// Where the receives cover the credits (DeviceQueues::covers_credits(); always so without a shared queue) a
// request is held in the buffer in which it arrived. A peer has one buffer more than credits for requests,
// and others for everything else (receives_for), so what is not a request always finds one.
//
// Where they do not, the packet is copied, and its receive buffer is posted again in the same poll. Packets
// that are in their buffers when that begins stay there: they are requests, for which at most half of the
// buffers are, so others go on.
//
// No deadlock, for any number of buffers from one on: a waiting process polls; a process that polls posts
// each buffer again that a packet has arrived in, whether it can process the packet or not; so every send to
// it completes, its peers' send queues drain and their acknowledgements arrive; so in the end it can process
// what it holds.
//
// Memory: a peer has at most as many requests outstanding as its share (window.hpp), which is the least where
// there are fewer receives than that. Copies are allocated when they are needed first, not
// registered, and kept.
//
// No verbs. On the polling thread, under the conduit's lock.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "conduits/net/ibv/queues/receive_buffer.hpp"

namespace upcr::ibv {

class PacketCopies {
 public:
  // The packet of `buffer`, with what it came with (ReceiveBuffer::from, bytes); `buffer` stays the caller's.
  ReceiveBuffer* copy(const ReceiveBuffer& buffer) {
    ReceiveBuffer* copy = unused_copy();
    copy->from = buffer.from;
    copy->bytes = buffer.bytes;
    std::memcpy(copy->packet, buffer.packet, buffer.bytes);
    return copy;
  }
  static bool is_copy(const ReceiveBuffer& buffer) noexcept { return buffer.is_copy; }
  void release(ReceiveBuffer* copy) noexcept {
    copy->next = unused_;
    unused_ = copy;
  }
  // Copies that were ever needed at once.
  std::size_t allocated() const noexcept { return copies_.size(); }

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

  ReceiveBuffer* unused_ = nullptr;
  std::vector<std::unique_ptr<ReceiveBuffer>> copies_;
};

}  // namespace upcr::ibv
