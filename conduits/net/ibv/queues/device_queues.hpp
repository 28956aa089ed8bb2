// SPDX-License-Identifier: BSD-3-Clause
// The queues of one device: its completion queues, the channel that wakes sleeping threads, the shared
// receive queue or the peers' receive buffers.
//
// There is one completion queue, which grows with the connections. Where the device cannot resize it, there
// are more, each for twice as many connections as the one before.
//
// With XRC the shared receive queue is one of the device's XRC domain, and names the completion queue of its
// packets: the first one, which has room for all receive buffers from the start, and grows with the queue
// pairs that send, each by what the peers need that may share it.
//
// Threads: under the conduit's lock, but for open() and close() (main thread), completions_for_queue_pair(),
// find_completions() (service thread), windows() (window_pool.hpp) and receives() (receives.hpp).
#pragma once
#include <infiniband/verbs.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/queues/completion_queue.hpp"
#include "conduits/net/ibv/queues/receives.hpp"
#include "conduits/net/ibv/queues/window_pool.hpp"

namespace upcr::ibv {

// The capacities of the queues; the same on every device of the process.
struct Depths {
  unsigned peers = 0;    // that may connect
  unsigned credits = 0;  // the largest share of each of them
  unsigned send = 0;     // work requests in progress to each of them
  unsigned sharers = 0;  // peers that share a queue pair, at the most; 0: each has its own (no XRC)
  unsigned paths = 1;    // send paths (sending/send_paths.hpp)
};

class DeviceQueues {
 public:
  // Work requests of a queue pair beside those of the data path: the hello, and on iWARP the read that
  // flushes.
  static constexpr unsigned kOwnRequests = 2;
  // Of the data path, in progress on all queue pairs of a completion queue, at the most.
  static constexpr unsigned kMaxRoom = 2048;
  // The room of a send path that is worth having, where its peers may use so much.
  static constexpr unsigned kFairRoom = 64;

  // The most send paths, of `most`, a power of two, for which completion queues of this device have room.
  static unsigned paths_for(const Limits& limits, Depths depths, unsigned most) noexcept;

  void open(Device& device, std::span<Device* const> devices, Memory& memory, const Depths& depths);
  void close();
  // Of the queue pair of one peer.
  ibv_qp_cap capacities() const noexcept;
  // Of one of XRC: the completion queue's room is all that the data path may have in progress.
  ibv_qp_cap shared_capacities() const noexcept;
  bool is_xrc() const noexcept { return sharers_ != 0; }

  Device& device() const noexcept { return *device_; }
  Receives& receives() noexcept { return receives_; }
  WindowPool& windows() noexcept { return windows_; }
  const WindowPool& windows() const noexcept { return windows_; }
  void set_capacity(const ReceiveCapacity& capacity) {
    covers_least_ = capacity.covers_least;
    windows_.set_capacity(capacity.credits);
  }
  // Is there a receive buffer for all that the credits of all peers allow? False: there may be as few as one,
  // so none of them may be kept while a request is held (packet_copies.hpp).
  bool covers_credits() const noexcept { return covers_least_ && windows_.is_covered(); }
  // Connections for which a queue pair has room in its completion queue: with XRC those of all that share it.
  unsigned links_of_queue_pair() const noexcept { return is_xrc() ? sharers_ : 1; }
  // A completion queue with room for one more queue pair, which is counted by CompletionQueue::add_links().
  ibv_cq* completions_for_queue_pair();
  // One with room for so many more connections. Null: there is none, and `why` says why;
  // completions_for_queue_pair() ends the job then.
  ibv_cq* find_completions(unsigned links, std::string* why);
  // For queue pairs on which nothing is posted.
  ibv_cq* any_completions() const noexcept { return completions_[0].queue(); }
  ibv_srq* srq() const noexcept { return srq_; }
  ibv_comp_channel* channel() const noexcept { return channel_; }

  // Is an operation in progress? Any thread.
  bool is_busy() const noexcept;

  // Completions are fetched kBatch at a time. next_completion(): the next one of these.
  bool has_fetched() const noexcept { return next_ != fetched_; }
  const ibv_wc& next_completion() noexcept { return batch_[next_++]; }
  // Polls the completion queues. Not when has_fetched(). False: there are none.
  bool fetch();
  // The next completion makes the channel readable; until then it is not.
  void arm();

 private:
  static constexpr unsigned kBatch = 32;
  static constexpr unsigned kMinRoom = 16;
  static constexpr unsigned kFirstLinks = 2, kMaxCompletionQueues = 16;

  static SharedReceives receives_here(const Limits& limits, const Depths& depths) noexcept;
  static CompletionNeeds needs_for(const Limits& limits, const Depths& depths,
                                   unsigned shared_receives) noexcept;
  void open_completions(const Depths& depths, unsigned shared_receives);
  void add_completion_queue(std::size_t links);
  std::string make_completion_queue(std::size_t links);
  void open_receives(std::span<Device* const> devices, Memory& memory, const Depths& depths,
                     const SharedReceives& shared);
  ibv_srq* create_srq(unsigned receives) const;

  Device* device_ = nullptr;
  ibv_comp_channel* channel_ = nullptr;
  CompletionNeeds needs_;
  CompletionQueue completions_[kMaxCompletionQueues];
  std::atomic<unsigned> completion_queues_{0};  // how many of them there are
  unsigned polled_ = 0;                         // the last one
  ibv_srq* srq_ = nullptr;
  Receives receives_;
  WindowPool windows_;
  bool covers_least_ = true;
  unsigned send_depth_ = 0, receive_depth_ = 0, sharers_ = 0;
  unsigned next_ = 0, fetched_ = 0;
  ibv_wc batch_[kBatch];
};

}  // namespace upcr::ibv
