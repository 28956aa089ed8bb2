// SPDX-License-Identifier: BSD-3-Clause
// Room in one queue pair's send queue. Every work request counts until a completion of its own or of a later
// one has been seen: requests complete in order, and a completion that was not asked for says nothing until
// then. On iWARP they do not: a message completes when it has left, a read that went before it when its data
// is here, a write when a read behind it is back. There reads and writes are counted apart, one by one. No
// verbs here.
//
// Under the conduit's lock.
#pragma once
#include <cstdint>

namespace upcr::ibv {

class SendQueue {
 public:
  // 2 to 32768 work requests. A completion is asked for at least every quarter of that.
  void open(unsigned depth) noexcept {
    depth_ = static_cast<std::uint16_t>(depth);
    quiet_most_ = static_cast<std::uint16_t>(depth < 8 ? 0 : depth / 4 - 1);
  }
  unsigned room() const noexcept { return depth_ - under_way() - apart_; }
  bool empty() const noexcept { return posted_ == retired_ && apart_ == 0; }
  // Must the next one ask for its completion? Else nobody learns that those before it are over.
  bool wants_signal() const noexcept { return quiet_ >= quiet_most_; }
  void want_signal() noexcept { quiet_ = quiet_most_; }

  // One more is posted; its number.
  std::uint16_t post(bool signalled) noexcept {
    quiet_ = signalled ? 0 : static_cast<std::uint16_t>(quiet_ + 1);
    return ++posted_;
  }
  // The same for one that is counted apart.
  void post_apart() noexcept { ++apart_; }
  void retire_apart() noexcept { --apart_; }
  // The number of the one that was posted last, of those that have numbers.
  std::uint16_t last() const noexcept { return posted_; }
  // The one with this number is over, and so are all before it. How many that is.
  unsigned retire(std::uint16_t number) noexcept {
    const auto n = static_cast<std::uint16_t>(number - retired_);
    if (n > under_way()) return 0;  // known already, by a later one
    retired_ = number;
    return n;
  }

 private:
  unsigned under_way() const noexcept { return static_cast<std::uint16_t>(posted_ - retired_); }

  std::uint16_t depth_ = 0, quiet_most_ = 0;
  std::uint16_t posted_ = 0, retired_ = 0;
  std::uint16_t quiet_ = 0;  // posted since a completion was asked for
  std::uint16_t apart_ = 0;  // under way, without a number
};
static_assert(sizeof(SendQueue) == 12);

}  // namespace upcr::ibv
