// SPDX-License-Identifier: BSD-3-Clause
// Requests that a credited channel cannot process yet (channel.hpp): a queue for each peer that has some, so
// that those of one peer do not wait for another's. Queues are visited in turn. Queues and their memory are
// used again by other peers: no allocation once there have been as many as there get. No lock of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "conduits/core/transport/credited/ring_queue.hpp"

namespace upcr {

// Packet: copyable, with a member `peer`, a pointer to a structure with these members.
struct HeldCount {
  std::uint32_t held_queue = 0;  // valid while held != 0
  std::uint16_t held = 0;        // of its requests
};

template <typename Packet>
class HeldRequests {
 public:
  bool empty() const noexcept { return used_ == 0; }

  void push(const Packet& packet) {
    if (packet.peer->held++ == 0) {
      if (used_ == queues_.size()) queues_.emplace_back();
      packet.peer->held_queue = static_cast<std::uint32_t>(used_++);
    }
    queues_[packet.peer->held_queue].push(packet);
  }

  // Takes at most `budget` requests out: of each peer in order, as long as may_take(packet); take(packet) may
  // push nothing. Returns how many.
  template <typename MayTake, typename Take>
  unsigned process(unsigned budget, MayTake&& may_take, Take&& take) {
    unsigned taken = 0;
    for (std::size_t left = used_; left > 0 && taken < budget; --left) {
      if (next_ >= used_) next_ = 0;
      const std::size_t nth = next_;
      while (taken < budget && !queues_[nth].empty() && may_take(queues_[nth].front())) {
        const Packet packet = queues_[nth].pop();
        --packet.peer->held;
        ++taken;
        take(packet);
      }
      if (queues_[nth].empty())
        remove(nth);  // the last one comes to its place, and is the next
      else
        ++next_;
    }
    return taken;
  }

 private:
  void remove(std::size_t nth) noexcept {
    --used_;
    if (nth == used_) return;
    std::swap(queues_[nth], queues_[used_]);
    queues_[nth].front().peer->held_queue = static_cast<std::uint32_t>(nth);
  }

  std::vector<RingQueue<Packet>> queues_;  // the first so many are in use
  std::size_t used_ = 0, next_ = 0;
};

}  // namespace upcr
