// SPDX-License-Identifier: BSD-3-Clause
// Receive buffers of one device: so many for each connected peer that whatever the peer's credits let it send
// finds one. Where the device has a shared receive queue all of them are there; else each queue pair has its
// own block of them.
//
// A device whose shared receive queue is shorter than the credits of all peers promise (Limits::max_receives)
// gets as many as fit. Should all of them be in use, senders are told that the receiver is not ready, and ask
// again for ever (rnr_retry_count 7). One buffer is enough to get on: none of them is kept when its packet
// cannot be served yet (packet_copies.hpp).
//
// Blocks come and go on the service thread, as queue pairs do. A single buffer that was taken off a queue is
// posted again by the data path (post()), which verbs allow beside each other.
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

// What one peer may have sent before this process has taken any of it, and the one that is being served,
// whose count may be on its way back already:
//   requests, and the replies to as many of ours; extra replies; kTell, each of which stands for half a
//   window (a third of one of 3) or for half of the extra replies; the hello and two goodbyes.
constexpr unsigned receives_for(unsigned window) noexcept {
  return 2 * (window + 1) + 1 + (kUnsolicitedLimit + 1) + (3 + 2 + 1) + 3;
}

class Receives {
 public:
  // `srq` null: there is no shared queue; else it has room for `most`. `memory` is asked to make room when
  // there is not enough locked memory for one more peer.
  // `peers`: that may connect.
  void open(Device& device, std::span<Device* const> devices, Memory& memory, unsigned each, unsigned peers,
            ibv_srq* srq, unsigned most);
  void close();
  // What they come to, in bytes, when so many peers have connected.
  std::size_t bytes_for(unsigned peers) const noexcept;

  // -- service thread
  // Posts what the peer may send.
  void prepare(Link& link);
  // The link is discarded, and without a shared queue all of its buffers are back.
  void release(Link& link);

  // -- data path
  // An error (errno) when it is of a broken queue pair; those of the shared queue are always taken.
  int post(ReceiveBuffer* buffer);
  bool shared() const noexcept { return srq_ != nullptr; }
  // Is there a buffer for all that the credits of all peers allow? False: there may be as few as one, so none
  // of them may be kept while something else has to arrive (packet_copies.hpp).
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
