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
// The limit is the same at both ends and constant, or a conduit changes it while the job runs: set_limit() is
// for this process's requests, grant() for the peer's.
//
// Threads: under the conduit's lock.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr {

// The default number of credits for one peer: the largest, and the smallest, which large jobs get.
inline constexpr unsigned kMaxDefaultCredits = 32, kMinDefaultCredits = 4;
// The smallest number that a user may set, or that a small device leads to. A thread notifies the next
// barrier when the messages of the last one have reached it, and may compute then without polling: its
// messages must leave at once, though those that it sent for the last barrier are not acknowledged yet. Those
// of the barrier before are: a peer acknowledges them with its own message.
inline constexpr unsigned kMinCredits = 2;
// Unsolicited replies to one peer that are not acknowledged, at most.
inline constexpr unsigned kUnsolicitedLimit = 16;

// Receive buffers of a process for all of its peers, about: a job of some hundred processes spends no more
// memory on them than a small one.
inline constexpr unsigned kTargetReceives = 8192;
constexpr unsigned credit_limit_for(unsigned processes) noexcept {
  const unsigned peers = processes > 1 ? processes - 1 : 1;
  unsigned limit = kMaxDefaultCredits;  // a power of two
  while (limit > kMinDefaultCredits && std::size_t{limit} * peers > kTargetReceives) limit /= 2;
  return limit;
}

class Credits {
 public:
  // 1 to 32768 requests, the same at both ends.
  void open(unsigned limit) noexcept { limit_ = granted_ = static_cast<std::uint16_t>(limit); }

  // -- this process's requests to the peer
  unsigned limit() const noexcept { return limit_; }
  // More or fewer from now on. Fewer than are outstanding: the next one waits until the others are
  // acknowledged.
  void set_limit(unsigned limit) noexcept { limit_ = static_cast<std::uint16_t>(limit); }
  std::uint16_t sent() const noexcept { return sent_; }  // in all, modulo 65536
  unsigned outstanding() const noexcept { return static_cast<std::uint16_t>(sent_ - acked_); }
  unsigned available() const noexcept { return limit_ > outstanding() ? limit_ - outstanding() : 0; }
  // Uses one credit. Returns the request's number. Not when available() is 0.
  std::uint16_t use() noexcept { return sent_++; }
  bool is_outstanding(std::uint16_t number) const noexcept {
    return static_cast<std::uint16_t>(number - acked_) < outstanding();
  }
  // The peer's count has arrived: acked(number) is called for each request that it acknowledges, in order.
  // False: the count is impossible, it exceeds what was sent.
  template <typename Acked>
  bool on_ack(std::uint16_t count, Acked&& acked) noexcept {
    if (static_cast<std::uint16_t>(count - acked_) > outstanding()) return false;
    while (acked_ != count) {
      acked(acked_);
      ++acked_;
    }
    return true;
  }
  bool on_ack(std::uint16_t count) noexcept {
    if (static_cast<std::uint16_t>(count - acked_) > outstanding()) return false;
    acked_ = count;
    return true;
  }
  // Has the peer acknowledged all requests and unsolicited replies?
  bool all_acknowledged() const noexcept {
    return sent_ == acked_ && unsolicited_sent_ == unsolicited_acked_;
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

  // -- the peer's requests to this process
  // The limit of the peer, as it was told last: acknowledgements are sent as often as it needs them.
  unsigned granted() const noexcept { return granted_; }
  void grant(unsigned limit) noexcept { granted_ = static_cast<std::uint16_t>(limit); }
  // `urgent`: the peer waits for the acknowledgement.
  void request_processed(bool urgent) noexcept {
    ++processed_;
    urgent_ = urgent_ || urgent;
  }
  void unsolicited_processed() noexcept { ++unsolicited_processed_; }
  // Is a packet to be sent for the acknowledgements alone? Yes if the peer waits for one, or may have used
  // half of its credits.
  bool ack_due() const noexcept {
    const unsigned unacknowledged = static_cast<std::uint16_t>(processed_ - ack_sent_);
    return urgent_ || (unacknowledged != 0 && unacknowledged >= granted_ / 2u) ||
           static_cast<std::uint8_t>(unsolicited_processed_ - unsolicited_ack_sent_) >= kUnsolicitedLimit / 2;
  }
  std::uint16_t processed() const noexcept { return processed_; }
  std::uint8_t unsolicited() const noexcept { return unsolicited_processed_; }
  // A packet with both counts has been sent.
  void acks_sent() noexcept {
    ack_sent_ = processed_;
    unsolicited_ack_sent_ = unsolicited_processed_;
    urgent_ = false;
  }

 private:
  std::uint16_t limit_ = 0;
  std::uint16_t granted_ = 0;
  std::uint16_t sent_ = 0, acked_ = 0;
  std::uint16_t processed_ = 0, ack_sent_ = 0;
  std::uint8_t unsolicited_sent_ = 0, unsolicited_acked_ = 0;
  std::uint8_t unsolicited_processed_ = 0, unsolicited_ack_sent_ = 0;
  bool urgent_ = false;
};
static_assert(sizeof(Credits) == 18);

}  // namespace upcr
