// SPDX-License-Identifier: BSD-3-Clause
// The receive buffers of one device: enough for whatever the credits of each connected peer let it send. All
// of them are in the shared receive queue, if the device has one; else each queue pair has a block of its
// own.
//
// If a shared receive queue is shorter than the credits of all peers (Limits::max_receives), it gets as many
// as fit. When all of them are in use the device returns RNR, and senders try again for ever (rnr_retry_count
// 7). One buffer is enough to make progress: none is kept while its packet cannot be processed
// (packet_copies.hpp).
//
// Blocks are posted and released on the service thread, as queue pairs come and go. The data path posts a
// single buffer again whose packet is processed (post()); verbs allow both at once.
#pragma once
#include <infiniband/verbs.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "conduits/core/transport/credited/credits.hpp"
#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/memory/slab.hpp"
#include "conduits/net/ibv/queues/receive_buffer.hpp"

namespace upcr::ibv {

struct Link;
class Memory;

// The most packets that one peer may have sent before this process has received any of them, and the packet
// that is being processed, whose acknowledgement may have left already:
//   requests, and replies to as many of ours; unsolicited replies; credit updates, each of which acknowledges
//   half of the credit limit (a third, if that is 3) or half of the unsolicited replies; the hello and two
//   close packets.
constexpr unsigned receives_for(unsigned credit_limit) noexcept {
  return 2 * (credit_limit + 1) + 1 + (kUnsolicitedLimit + 1) + (3 + 2 + 1) + 3;
}

class Receives {
 public:
  // `each`: buffers for a peer; `peers`: how many may connect. `srq`: the shared queue, of `most` buffers, or
  // null. `memory` is asked to make room when there is not enough locked memory for one more peer.
  void open(Device& device, std::span<Device* const> devices, Memory& memory, unsigned each, unsigned peers,
            ibv_srq* srq, unsigned most);
  void close();
  // The bytes of all buffers when so many peers are connected.
  std::size_t bytes_for(unsigned peers) const noexcept;

  // -- service thread
  // Posts receives for what the peer may send.
  void prepare(Link& link);
  // The link is discarded and, without a shared queue, all of its receives have completed.
  void release(Link& link);

  // -- data path
  // Returns an errno if the queue pair is broken; posting to the shared queue always succeeds.
  int post(ReceiveBuffer* buffer);
  bool shared() const noexcept { return srq_ != nullptr; }
  // Is there a buffer for all that the credits of all peers allow? False: there may be as few as one, so none
  // of them may be kept while a request is held (packet_copies.hpp).
  bool covers_credits() const noexcept { return covers_credits_; }

 private:
  ReceiveBuffer* open_block();

  Device* device_ = nullptr;
  std::span<Device* const> devices_;
  Memory* memory_ = nullptr;
  ibv_srq* srq_ = nullptr;
  unsigned each_ = 0;  // of a peer
  bool covers_credits_ = true;
  unsigned most_ = 0, posted_ = 0, wanted_ = 0;  // in the shared queue
  std::vector<std::unique_ptr<Slab>> slabs_;     // one a block
  std::vector<ReceiveBuffer*> free_blocks_;
};

}  // namespace upcr::ibv
