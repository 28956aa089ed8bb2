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
    max_unsignalled_ = static_cast<std::uint16_t>(depth < 8 ? 0 : depth / 4 - 1);
  }
  unsigned room() const noexcept { return depth_ - under_way() - unordered_; }
  bool empty() const noexcept { return posted_ == retired_ && unordered_ == 0; }
  // Must the next one ask for its completion? Else nobody learns that those before it are over.
  bool needs_signal() const noexcept { return unsignalled_ >= max_unsignalled_; }
  void request_signal() noexcept { unsignalled_ = max_unsignalled_; }

  // One more is posted; its number.
  std::uint16_t post(bool signalled) noexcept {
    unsignalled_ = signalled ? 0 : static_cast<std::uint16_t>(unsignalled_ + 1);
    return ++posted_;
  }
  // The same for one that is counted apart.
  void post_unordered() noexcept { ++unordered_; }
  void retire_unordered() noexcept { --unordered_; }
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

  std::uint16_t depth_ = 0, max_unsignalled_ = 0;
  std::uint16_t posted_ = 0, retired_ = 0;
  std::uint16_t unsignalled_ = 0;  // posted since a completion was asked for
  std::uint16_t unordered_ = 0;    // under way, without a number
};
static_assert(sizeof(SendQueue) == 12);

}  // namespace upcr::ibv
