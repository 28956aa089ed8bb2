// SPDX-License-Identifier: BSD-3-Clause
// The receive buffers of one device: enough for whatever the credits of each connected peer let it send. All
// of them are in the shared receive queue, if the device has one; else each queue pair has a block of its
// own.
//
// The shared queue gets, for each connection, the buffers of the least share (kMinCredits), and in addition
// those of a pool of credits (window_pool.hpp) that grows with the connections to kTargetReceives, or to half
// of what the queue holds. Where connections need the whole queue for their least shares the pool shrinks
// again.
//
// If a shared receive queue is shorter than the least shares of the peers that are connected, it gets as many
// as fit. When all of them are in use the device returns RNR, and senders try again for ever (rnr_retry_count
// 7). One buffer is enough to make progress: none is kept while its packet cannot be processed
// (packet_copies.hpp).
//
// Blocks are posted and released on the service thread, as queue pairs come and go. The data path posts a
// single buffer again whose packet is processed (post()); verbs allow both at once.
#pragma once
#include <infiniband/verbs.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "conduits/core/transport/credited/credits.hpp"
#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/memory/slab.hpp"
#include "conduits/net/ibv/queues/connection_events.hpp"
#include "conduits/net/ibv/queues/receive_buffer.hpp"

namespace upcr::ibv {

struct Link;
class Memory;

// The most packets that one peer may have sent before this process has received any of them, and the packet
// that is being processed, whose acknowledgement may have left already:
//   requests, and replies to as many of ours; unsolicited replies; credit updates, each of which acknowledges
//   half of the credit limit (a third, if that is 3) or half of the unsolicited replies; the hello and two
//   close packets; a share and the confirmation of one (window.hpp); a proposal to close the connection and
//   the answer to one (eviction.hpp).
constexpr unsigned receives_for(unsigned credit_limit) noexcept {
  return 2 * (credit_limit + 1) + 1 + (kUnsolicitedLimit + 1) + (3 + 2 + 1) + 3 + 2 + 2;
}

// How many buffers a shared receive queue holds, and how many credits beyond the least shares these may
// become when enough peers are connected. `credits`: the largest share of a peer; `longest`: the device's.
inline constexpr unsigned kUnlimitedPool = 1U << 30;  // without a shared queue: each has its own
struct SharedReceives {
  unsigned most = 0;
  unsigned pool = 0;
};
constexpr SharedReceives shared_receives(unsigned peers, unsigned credits, unsigned longest) noexcept {
  constexpr std::size_t kLongest = 128 << 10;  // entries, of 16 to 64 bytes
  const std::size_t pool =
      std::min<std::size_t>(kTargetReceives, std::size_t{peers} * (credits - kMinCredits));
  const std::size_t all = std::size_t{receives_for(kMinCredits)} * peers + 2 * pool;
  const auto most = static_cast<unsigned>(std::min({all, std::size_t{longest}, kLongest}));
  return {most, static_cast<unsigned>(most == all ? pool : std::min<std::size_t>(pool, most / 4))};
}

// What a shared receive queue is to have posted for so many connections, and what that suffices for. *posted:
// what it has, which grows.
constexpr ReceiveCapacity capacity_for(std::size_t connections, unsigned credits, const SharedReceives& queue,
                                       std::size_t* posted) noexcept {
  const std::size_t least = connections * receives_for(kMinCredits);
  const std::size_t pool = std::min<std::size_t>(connections * (credits - kMinCredits), queue.pool);
  *posted = std::max(*posted, std::min<std::size_t>(least + 2 * pool, queue.most));
  if (*posted < least) return {0, false};
  return {static_cast<unsigned>(std::min<std::size_t>((*posted - least) / 2, queue.pool)), true};
}

class Receives {
 public:
  // `credits`: the largest share of a peer. `srq`: the shared queue, of `shared.most` buffers, or null.
  // `memory` is asked to make room when there is not enough locked memory for one more peer.
  void open(Device& device, std::span<Device* const> devices, Memory& memory, unsigned credits, ibv_srq* srq,
            const SharedReceives& shared);
  void close();
  // The bytes of all buffers when so many peers are connected.
  std::size_t bytes_for(unsigned peers) const noexcept;

  // The most buffers in the shared queue.
  unsigned longest() const noexcept { return shared_.most; }

  // -- service thread
  // Posts receives for what the peer may send. Returns what there is for all connections.
  ReceiveCapacity prepare(Link& link);
  // The link is discarded. Its buffers in the shared queue stay there, for others.
  ReceiveCapacity discard();
  // Without a shared queue: all of its receives have completed.
  void release(Link& link);

  // -- data path
  // Returns an errno if the queue pair is broken; posting to the shared queue always succeeds.
  int post(ReceiveBuffer* buffer);
  bool shared() const noexcept { return srq_ != nullptr; }

 private:
  ReceiveBuffer* open_block(unsigned count);
  ReceiveCapacity capacity(std::size_t* posted) const noexcept {
    return shared() ? capacity_for(connections_, credits_, shared_, posted)
                    : ReceiveCapacity{kUnlimitedPool, true};
  }

  Device* device_ = nullptr;
  std::span<Device* const> devices_;
  Memory* memory_ = nullptr;
  ibv_srq* srq_ = nullptr;
  unsigned credits_ = 0;
  // -- the service thread's
  SharedReceives shared_;
  std::size_t posted_ = 0;                    // in the shared queue
  std::size_t connections_ = 0;               // that are not discarded
  std::vector<std::unique_ptr<Slab>> slabs_;  // one a block
  std::vector<ReceiveBuffer*> free_blocks_;   // without a shared queue
};

}  // namespace upcr::ibv
