// SPDX-License-Identifier: BSD-3-Clause
// Deals the receive buffers of a shared receive queue to the peers that talk. The queue cannot hold, and
// memory should not be spent on, a full window for each of thousands of peers, of which a process talks with
// few at a time.
//
// Each connection has a least share (kMinCredits) that is never taken away. The rest, counted in credits, is
// the pool:
//   join       a new connection gets its whole window while half of the pool is free, else the least share.
//   starved    a request was refused because the window is full: the share doubles. The peer is told, and
//              asked to raise its own as well, which it does if its pool has room. A share that exceeds the
//              peer's because that has become smaller follows it.
//   reclaim    where the pool is empty, a connection that has been quiet while the one that asks has sent
//              kPatience messages falls back to the least share (the clock algorithm: a hand goes round, and
//              traffic since its last visit is the reference bit). If none is quiet, the share of one that
//              has over twice as much as the one that asks is halved. So shares of peers that all want
//              more end within a factor of two of each other, or four where they cannot be halved further.
// Those that got less than they asked for wait in the order of asking, and get what is given back.
//
// No deadlock, as without a pool (core/transport/credited/channel.hpp, decision 7): moving credits waits for
// nothing. Every credit has its two buffers from before the peer is told of it until the peer has confirmed
// that it is gone and no reply can need it; so requests, and replies to ours, always find a buffer. The least
// share is enough to make progress, and the messages about shares have buffers of their own
// (receives_for()).
//
// It only decides; take_announcement() and the conduit's packets carry it out. No verbs.
//
// Threads: under the conduit's lock and those of all send paths, since it compares the windows of all peers,
// but for may_help(), which needs the lock of the window's send path, and is_covered(), may_settle(),
// has_announcements() and announced(), for which the conduit's suffices.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "conduits/net/ibv/queues/window.hpp"

namespace upcr::ibv {

class WindowPool {
 public:
  // `most`: the largest share of a connection. `final_capacity`: what set_capacity() will reach when there
  // are enough connections.
  void open(unsigned most, unsigned final_capacity) noexcept {
    most_ = most;
    final_capacity_ = final_capacity;
  }
  // Credits beside the least shares. May become less than what is dealt: then some is reclaimed.
  void set_capacity(unsigned credits);
  // Are there buffers for all credits?
  bool is_covered() const noexcept { return dealt_ <= capacity_; }
  // No changes from now on: the job ends.
  void stop() noexcept { stopped_ = true; }

  // A connection can be used; its window is open with the least share.
  void join(Window& window);
  // It is not used any more.
  void leave(Window& window);
  // A request was refused, the window being full.
  void starved(Window& window);
  // Would starved() change anything? Not while its question waits for an answer, or for traffic.
  bool may_help(const Window& window) const noexcept;
  // The peer has told its share, and perhaps asks for as large a share here.
  void peer_share_changed(Window& window, unsigned share, bool asks);
  // The peer has confirmed the share that it was told.
  void confirmed(Window& window);
  // Looks at those whose shares are becoming smaller: replies that they waited for may have come.
  void settle() {
    if (!settling_.empty()) settle_now();
  }

  // May settle() find something?
  bool may_settle() const noexcept {
    return std::any_of(settling_.begin(), settling_.end(), [](const Window* w) { return !w->unconfirmed(); });
  }

  // Messages to be sent: the next window whose peer is to be told of target(), null: none.
  // By announced() it leaves the list.
  bool has_announcements() const noexcept { return !announcements_.empty(); }
  Window* next_announcement() const noexcept {
    return announcements_.empty() ? nullptr : announcements_.back();
  }
  void announced(Window& window);

  unsigned dealt() const noexcept { return dealt_; }
  unsigned capacity() const noexcept { return capacity_; }

 private:
  // Messages that the one that asks exchanges before another one counts as quiet.
  static constexpr std::uint16_t kPatience = 64;

  unsigned unused() const noexcept { return capacity_ > dealt_ ? capacity_ - dealt_ : 0; }
  void want(Window& window, unsigned share, bool ask);
  void raise(Window& window, unsigned by);
  void lower(Window& window, unsigned share);
  void shrink(Window& window);
  void reclaim(const Window* requester, unsigned credits);
  void serve();
  void settle_now();
  void announce(Window& window);

  unsigned most_ = 0, final_capacity_ = 0, capacity_ = 0;
  unsigned dealt_ = 0;       // in shares beyond the least
  unsigned reclaiming_ = 0;  // of these, what will be given back
  bool stopped_ = false;
  std::size_t hand_ = 0;                // of the clock, in sharing_
  std::vector<Window*> sharing_;        // those that have more than the least
  std::vector<Window*> waiting_;        // those that want more, oldest first
  std::vector<Window*> settling_;       // those that become smaller
  std::vector<Window*> announcements_;  // those whose peers are to be told
};

}  // namespace upcr::ibv
