// SPDX-License-Identifier: BSD-3-Clause
// The links whose last operations have been posted without a signal: nothing that would complete them is on
// its way until a signalled work request follows. No more than a few; operations to further links are
// signalled. So all that wait without a signal leave three quarters of the room to others.
//
// Threads: under the lock of the send path, but for empty().
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "conduits/net/ibv/queues/link.hpp"

namespace upcr::ibv {

class UnsignalledLinks {
 public:
  static constexpr unsigned kMost = 8;
  // Of a link: of so many work requests with operations one is signalled at the least.
  static constexpr unsigned kMostRequests = 16;

  // How many links, where they have so much room together. None where it is short: one link alone might
  // take all of it, and leave none for the signal.
  static constexpr unsigned most(unsigned room) noexcept {
    return std::clamp(room / (4 * kMostRequests), 0U, kMost);
  }

  bool empty() const noexcept { return count() == 0; }
  bool has_room_for(const Link& link, unsigned most) const noexcept {
    return link.unsignalled != 0 || count() < most;
  }
  // An operation has been posted without a signal. Not without room.
  void add(Link& link) noexcept {
    if (link.unsignalled != 0) return;
    const unsigned nth = count();
    links_[nth] = &link;
    link.unsignalled = static_cast<std::uint8_t>(nth + 1);
    count_.store(nth + 1, std::memory_order_relaxed);
  }
  // A signalled work request has been posted.
  void remove(Link& link) noexcept {
    if (link.unsignalled == 0) return;
    const unsigned left = count() - 1;
    count_.store(left, std::memory_order_relaxed);
    Link* const last = links_[left];
    links_[link.unsignalled - 1] = last;
    last->unsignalled = link.unsignalled;
    link.unsignalled = 0;
  }
  // Calls function(link) for each, which may remove it.
  template <typename Function>
  void for_each(Function&& function) {
    for (unsigned i = count(); i > 0; --i) function(*links_[i - 1]);
  }
  template <typename Test>
  bool any_of(Test&& test) const {
    for (unsigned i = 0; i < count(); ++i)
      if (test(*links_[i])) return true;
    return false;
  }

 private:
  unsigned count() const noexcept { return count_.load(std::memory_order_relaxed); }

  Link* links_[kMost] = {};
  std::atomic<unsigned> count_{0};
};

}  // namespace upcr::ibv
