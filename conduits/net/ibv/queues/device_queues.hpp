// SPDX-License-Identifier: BSD-3-Clause
// The queues of one device: its completion queue, the channel that wakes sleeping threads, the shared receive
// queue or the peers' receive buffers. Every work request that is posted has room in the completion queue,
// also an unsignalled one: when a queue pair breaks, all of them complete.
//
// Threads: under the conduit's lock, but for open() and close() (main thread) and receives() (receives.hpp).
#pragma once
#include <infiniband/verbs.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/queues/receives.hpp"

namespace upcr::ibv {

// The capacities of the queues; the same on every device of the process.
struct Depths {
  unsigned peers = 0;    // that may connect
  unsigned credits = 0;  // the credit limit of each of them
  unsigned send = 0;     // work requests in progress to each of them
};

class DeviceQueues {
 public:
  // Work requests of a queue pair beside those of the data path: the hello, and on iWARP the read that
  // flushes.
  static constexpr unsigned kOwnRequests = 2;

  void open(Device& device, std::span<Device* const> devices, Memory& memory, const Depths& depths);
  void close();
  ibv_qp_cap capacities() const noexcept;

  Device& device() const noexcept { return *device_; }
  Receives& receives() noexcept { return receives_; }
  ibv_cq* completions() const noexcept { return completions_; }
  ibv_srq* srq() const noexcept { return srq_; }
  ibv_comp_channel* channel() const noexcept { return channel_; }
  // The most queue pairs whose receives the completion queue has room for, with those that are discarded.
  unsigned most_links() const noexcept { return most_links_; }

  // Room for completions of posted work requests: in all, and now.
  unsigned capacity() const noexcept { return capacity_; }
  unsigned room() const noexcept { return room_; }
  void use_room() noexcept { --room_; }
  void release_room(unsigned n) noexcept { room_ += n; }
  // Counts operations in progress. is_busy(): any thread.
  void operation_started() noexcept {
    in_progress_.store(in_progress_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void operation_ended() noexcept {
    in_progress_.store(in_progress_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  }
  bool is_busy() const noexcept { return in_progress_.load(std::memory_order_relaxed) != 0; }
  // Little room is left: every work request is to be signalled, so that none waits for a later one.
  bool is_nearly_full() const noexcept { return room_ < capacity_ / 2; }

  // Completions are fetched kBatch at a time. next_completion(): the next one of these.
  bool has_fetched() const noexcept { return next_ != fetched_; }
  const ibv_wc& next_completion() noexcept { return batch_[next_++]; }
  // Polls the completion queue. Not when has_fetched(). False: there are none.
  bool fetch();
  // The next completion makes the channel readable; until then it is not.
  void arm();

 private:
  static constexpr unsigned kBatch = 32;
  static constexpr unsigned kMaxRoom = 2048, kMinRoom = 16;

  void open_completions(const Depths& depths);
  void open_receives(std::span<Device* const> devices, Memory& memory, const Depths& depths);

  Device* device_ = nullptr;
  ibv_comp_channel* channel_ = nullptr;
  ibv_cq* completions_ = nullptr;
  ibv_srq* srq_ = nullptr;
  Receives receives_;
  unsigned send_depth_ = 0, receive_depth_ = 0, most_links_ = 0;
  unsigned capacity_ = 0, room_ = 0;
  std::atomic<std::uint32_t> in_progress_{0};
  unsigned next_ = 0, fetched_ = 0;
  ibv_wc batch_[kBatch];
};

}  // namespace upcr::ibv
