// SPDX-License-Identifier: BSD-3-Clause
// Room in the send queue of one queue pair. A work request takes room until its completion, or that of a
// later one, has been polled: they complete in order, so the completion of one is that of all before it, also
// of the unsignalled ones. Not so on iWARP: a message completes when it has left, a read before it when
// its data has arrived, a write when a read behind it is complete. There reads and writes are counted apart,
// one by one. No verbs here.
//
// Threads: under the lock of the send path.
#pragma once
#include <cstdint>

namespace upcr::ibv {

class SendQueue {
 public:
  // 2 to 32768 work requests. One is signalled at least every quarter of that.
  void open(unsigned depth) noexcept {
    depth_ = static_cast<std::uint16_t>(depth);
    max_unsignalled_ = static_cast<std::uint16_t>(depth < 8 ? 0 : depth / 4 - 1);
  }
  unsigned room() const noexcept { return depth_ - in_progress() - unordered_; }
  bool empty() const noexcept { return posted_ == retired_ && unordered_ == 0; }
  // Must the next one be signalled? Else those before it would take room for too long.
  bool needs_signal() const noexcept { return unsignalled_ >= max_unsignalled_; }
  // How many have been posted since the last signalled one.
  unsigned unsignalled() const noexcept { return unsignalled_; }
  void request_signal() noexcept { unsignalled_ = max_unsignalled_; }

  // Counts one more that is posted. Returns its number.
  std::uint16_t post(bool signalled) noexcept {
    ++uses_;
    unsignalled_ = signalled ? 0 : static_cast<std::uint16_t>(unsignalled_ + 1);
    return ++posted_;
  }
  // The last one is signalled after all.
  void signal_last() noexcept { unsignalled_ = 0; }
  // The same as post() for one that is counted apart.
  void post_unordered() noexcept {
    ++uses_;
    ++unordered_;
  }
  // Differs from an earlier result if something has been posted since.
  std::uint32_t uses() const noexcept { return uses_; }
  void retire_unordered() noexcept { --unordered_; }
  // The number of the last one that has a number.
  std::uint16_t last() const noexcept { return posted_; }
  // The one with this number, and all before it, are complete. Returns how many that are.
  unsigned retire(std::uint16_t number) noexcept {
    const auto n = static_cast<std::uint16_t>(number - retired_);
    if (n > in_progress()) return 0;  // known already, by a later one
    retired_ = number;
    return n;
  }

 private:
  unsigned in_progress() const noexcept { return static_cast<std::uint16_t>(posted_ - retired_); }

  std::uint16_t depth_ = 0, max_unsignalled_ = 0;
  std::uint16_t posted_ = 0, retired_ = 0;
  std::uint16_t unsignalled_ = 0;  // posted since the last signalled one; request_signal() pretends more
  std::uint16_t unordered_ = 0;    // in progress without a number
  std::uint32_t uses_ = 0;         // posted in all, modulo 2^32
};
static_assert(sizeof(SendQueue) == 16);

}  // namespace upcr::ibv
