// SPDX-License-Identifier: BSD-3-Clause
// The rails of this process to one peer, as the data path sees them, and the order that messages keep with
// puts that travel over them.
//
// A message goes through the first connection, and would overtake the parts of a put that are on the rails.
// So no request leaves while such parts are under way; it is refused until they are complete. Meanwhile no
// further put is distributed, so that a thread that puts without end does not keep another one's message
// waiting; if nobody comes back with the message, distribution goes on after a few transfers. Replies are
// never held back: they answer the peer's request, and are not behind puts of any thread.
//
// No verbs here. Threads: under the lock of the peer's send path; links() change under the conduit's besides.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "conduits/core/base/system/status.hpp"
#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {

struct Link;

class RailSet {
 public:
  explicit RailSet(Rank peer) noexcept : peer_(peer) {}
  Rank peer() const noexcept { return peer_; }

  // Those that can be used.
  std::span<Link* const> links() const noexcept { return {links_, count_}; }
  void add(Link& link) noexcept { links_[count_++] = &link; }  // at most kMaxPorts - 1
  // False: it is not one of them.
  bool remove(const Link& link) noexcept {
    Link** const end = std::remove(links_, links_ + count_, &link);
    const bool found = end != links_ + count_;
    count_ = static_cast<unsigned>(end - links_);
    return found;
  }
  bool is_full() const noexcept { return count_ == kMaxPorts - 1; }
  bool requested = false;  // the service thread has been asked for them, and none has been closed since

  // -- order
  // A part of a put has been posted on a rail, or is complete.
  void put_started() noexcept { ++puts_; }
  void put_ended() noexcept { --puts_; }
  // Is a request to be refused now?
  bool holds_message() noexcept {
    if (puts_ == 0) return false;
    message_waits_ = true;
    passed_ = 0;
    return true;
  }
  // Sends a request unless it is to be refused. send() returns its Status.
  template <typename Send>
  Status send_behind_puts(Send&& send) {
    if (holds_message()) return Status::kNoResource;
    const Status status = send();
    if (status == Status::kOk) message_waits_ = false;
    return status;
  }
  // May a transfer be distributed now?
  bool may_distribute() noexcept {
    if (!message_waits_) return true;
    if (puts_ != 0 || ++passed_ < kPatience) return false;
    message_waits_ = false;
    return true;
  }

  // -- what has been moved in parts, by each port of this process
  struct Moved {
    std::uint64_t parts = 0, bytes = 0;
  };
  Moved& moved(unsigned port) noexcept { return moved_[port]; }

 private:
  static constexpr std::uint8_t kPatience = 4;

  Rank peer_;
  unsigned count_ = 0;
  Link* links_[kMaxPorts - 1] = {};
  std::uint32_t puts_ = 0;      // parts on the rails
  bool message_waits_ = false;  // one has been refused, and none has been sent since
  std::uint8_t passed_ = 0;     // transfers that were not distributed since puts_ is 0
  Moved moved_[kMaxPorts];
};
static_assert(sizeof(RailSet) <= 128);

}  // namespace upcr::ibv
