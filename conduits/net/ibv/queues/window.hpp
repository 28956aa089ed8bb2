// SPDX-License-Identifier: BSD-3-Clause
// Flow control with one peer whose limits change (window_pool.hpp): the credits of the channel
// (core/transport/credited/credits.hpp), and how many of them have receive buffers here. Counters only.
//
// The *share* is the number of credits of this connection that this process has receive buffers for: so many
// requests of the peer, and as many replies to requests of its own. So both ends have a share. A process
// tells its peer each change of its own, and has no more requests outstanding than the smaller of both
// shares.
//
// A message about a share (kShare) is confirmed (kShareConfirmed) before the next one is sent, so there is at
// most one of each kind on the way. More counts at once; less counts when the peer has confirmed it, which it
// does when it has no more requests outstanding, and when this process has none too many either.
//
// Threads: under the lock of the link's send path; the pool changes it under those of all send paths.
#pragma once
#include <algorithm>
#include <cstdint>

#include "conduits/core/transport/credited/credits.hpp"

namespace upcr::ibv {

struct Link;

class Window : public Credits {
 public:
  // Both ends begin with the same share.
  void open(Link* link, unsigned share) noexcept {
    Credits::open(share);
    link_ = link;
    share_ = target_ = peer_share_ = static_cast<std::uint16_t>(share);
  }
  Link* link() const noexcept { return link_; }

  // -- this process's share
  // Credits that have buffers.
  unsigned share() const noexcept { return share_; }
  // The peer is asked, with the next message, for as large a share.
  bool asks() const noexcept { return asks_; }
  // What the peer was told last: less than share() until that is confirmed.
  unsigned target() const noexcept { return target_; }
  // The most requests that the peer may have outstanding.
  unsigned granted() const noexcept { return share_; }
  // The peer is to be told. Not while unconfirmed().
  void set_target(unsigned share) noexcept {
    target_ = static_cast<std::uint16_t>(share);
    share_ = std::max(share_, target_);
    unconfirmed_ = true;
    adjust();
  }
  bool unconfirmed() const noexcept { return unconfirmed_; }
  void confirmed() noexcept { unconfirmed_ = false; }
  // The peer has confirmed a smaller share, and no reply to this process needs more: gives the rest up.
  // Returns how many credits those are.
  unsigned settle() noexcept {
    if (unconfirmed_ || outstanding() > target_) return 0;
    const unsigned rest = share_ - target_;
    share_ = target_;
    return rest;
  }
  bool is_settled() const noexcept { return !unconfirmed_ && share_ == target_; }

  // -- the peer's
  unsigned peer_share() const noexcept { return peer_share_; }
  void set_peer_share(unsigned share) noexcept {
    peer_share_ = static_cast<std::uint16_t>(share);
    confirm_due_ = true;
    adjust();
  }
  // Its message is to be confirmed: as soon as no more than its share is outstanding.
  bool confirm_due() const noexcept { return confirm_due_; }
  bool may_confirm() const noexcept { return confirm_due_ && outstanding() <= peer_share_; }
  void confirm_sent() noexcept { confirm_due_ = false; }

  // Differs from an earlier result if requests have been sent, or taken, since.
  std::uint16_t traffic() const noexcept { return static_cast<std::uint16_t>(sent() + processed()); }

 private:
  friend class WindowPool;

  // A peer whose limit is the smaller share needs acknowledgements that often.
  void adjust() noexcept {
    const unsigned both = std::min(target_, peer_share_);
    set_limit(both);
    grant(both);
  }

  Link* link_ = nullptr;
  std::uint16_t share_ = 0, target_ = 0, peer_share_ = 0;
  bool unconfirmed_ = false, confirm_due_ = false;
  // -- the pool's
  bool sharing_ = false;      // in its list of those that have more than the least
  bool waiting_ = false;      // in its list of those that wait for more
  bool to_announce_ = false;  // in its list of those whose peers are to be told
  bool asks_ = false;         // the peer is asked for more, until it tells another share
  bool to_shrink_ = false;    // the peer's share has become smaller: this one is to follow
  std::uint16_t seen_ = 0;    // traffic() when the pool looked last
  std::uint16_t asked_ = 0;   // traffic() when it asked for more, and others were looked at
  std::uint16_t wanted_ = 0;  // share
};

}  // namespace upcr::ibv
