// SPDX-License-Identifier: BSD-3-Clause
// Flow control between this process and one peer, for conduits whose receive buffers are posted in advance:
// counters only, no network.
//
// A sender numbers its requests, and the receiver processes them in that order, so one count, "I have
// processed so many of your requests", acknowledges them and gives their credits back. It travels in the
// header of every packet. A sender has at most `limit` requests outstanding. Replies need no credit: the
// sender of a request keeps a receive buffer for the reply, and the receiver processes a request only when a
// reply can leave; the acknowledgement of the request travels with the reply or behind it. Unsolicited
// replies are acknowledged in the same way, by a count of their own.
//
// Threads: under the conduit's lock.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr {

// The most credits for one peer by default, and the fewest, which the default comes down to in large jobs.
inline constexpr unsigned kMaxCredits = 32, kMinCredits = 4;
// Replies outside handlers on the way to one peer.
inline constexpr unsigned kUnsolicitedLimit = 16;

// Receive buffers of a process for all of its peers, about: a job of some hundred processes spends no more
// memory on them than a small one.
inline constexpr unsigned kTargetReceives = 8192;
constexpr unsigned credit_limit_for(unsigned processes) noexcept {
  const unsigned peers = processes > 1 ? processes - 1 : 1;
  unsigned window = kMaxCredits;  // a power of two
  while (window > kMinCredits && std::size_t{window} * peers > kTargetReceives) window /= 2;
  return window;
}

class Credits {
 public:
  // 1 to 32768 requests, the same at both ends.
  void open(unsigned window) noexcept { window_ = static_cast<std::uint16_t>(window); }
  unsigned window() const noexcept { return window_; }

  // -- towards the peer
  unsigned credits() const noexcept { return window_ - unserved(); }
  // Takes one of them; the request's number.
  std::uint16_t take_credit() noexcept { return sent_++; }
  // The peer's count arrived; `served(number)` is called for each request that it adds, in order. False: it
  // cannot be, more than was sent.
  template <typename Served>
  bool on_ack(std::uint16_t count, Served&& served) noexcept {
    if (static_cast<std::uint16_t>(count - acked_) > unserved()) return false;
    while (acked_ != count) {
      served(acked_);
      ++acked_;
    }
    return true;
  }
  bool on_ack(std::uint16_t count) noexcept {
    if (static_cast<std::uint16_t>(count - acked_) > unserved()) return false;
    acked_ = count;
    return true;
  }
  bool is_outstanding(std::uint16_t number) const noexcept {
    return static_cast<std::uint16_t>(number - acked_) < unserved();
  }
  bool may_send_unsolicited() const noexcept {
    return static_cast<std::uint8_t>(unsolicited_sent_ - unsolicited_acked_) < kUnsolicitedLimit;
  }
  void unsolicited_sent() noexcept { ++unsolicited_sent_; }
  bool on_unsolicited_ack(std::uint8_t count) noexcept {
    if (static_cast<std::uint8_t>(count - unsolicited_acked_) >
        static_cast<std::uint8_t>(unsolicited_sent_ - unsolicited_acked_))
      return false;
    unsolicited_acked_ = count;
    return true;
  }

  // -- from the peer
  void serve(bool somebody_waits) noexcept {
    ++processed_;
    urgent_ = urgent_ || somebody_waits;
  }
  void unsolicited_processed() noexcept { ++unsolicited_received_; }
  // Should a packet go only to carry the counts? When somebody waits for them, or the peer will soon be out
  // of credits.
  bool ack_due() const noexcept {
    const unsigned unacknowledged = static_cast<std::uint16_t>(processed_ - ack_sent_);
    return urgent_ || (unacknowledged != 0 && unacknowledged >= window_ / 2u) ||
           static_cast<std::uint8_t>(unsolicited_received_ - unsolicited_ack_sent_) >= kUnsolicitedLimit / 2;
  }
  std::uint16_t processed() const noexcept { return processed_; }
  std::uint8_t unsolicited_received() const noexcept { return unsolicited_received_; }
  // A packet with these counts is on its way.
  void acks_sent() noexcept {
    ack_sent_ = processed_;
    unsolicited_ack_sent_ = unsolicited_received_;
    urgent_ = false;
  }

 private:
  unsigned unserved() const noexcept { return static_cast<std::uint16_t>(sent_ - acked_); }

  std::uint16_t window_ = 0;
  std::uint16_t sent_ = 0, acked_ = 0;
  std::uint16_t processed_ = 0, ack_sent_ = 0;
  std::uint8_t unsolicited_sent_ = 0, unsolicited_acked_ = 0;
  std::uint8_t unsolicited_received_ = 0, unsolicited_ack_sent_ = 0;
  bool urgent_ = false;
};
static_assert(sizeof(Credits) == 16);

}  // namespace upcr
