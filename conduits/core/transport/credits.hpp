// SPDX-License-Identifier: BSD-3-Clause
// Credits between this process and one other, for conduits whose receive buffers are posted in advance: four
// counts. No network here.
//
// Requests are numbered by their sender and served in that order by their receiver, so one count, "of yours I
// have served so many", gives credits back. It rides in the head of every packet. A sender has at most
// `window` numbers unserved. Replies need no credit: a request's sender keeps a buffer for its answer, the
// receiver serves a request only when a reply can leave, and the count that gives the credit back travels
// with the reply or behind it. Replies outside handlers (the engine's long ones) are counted in the same way,
// apart.
//
// Under the conduit's lock.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr {

// Most requests unserved at one peer, and the fewest, which very large jobs come down to.
inline constexpr unsigned kMaxWindow = 32, kMinWindow = 4;
// Replies outside handlers on the way to one peer.
inline constexpr unsigned kExtraWindow = 16;

// The receive buffers of a process are for what its peers may send: about this many in all, so that a job of
// some hundred processes does not spend more memory on them than a small one.
inline constexpr unsigned kReceivesAimedAt = 8192;
constexpr unsigned window_for(unsigned processes) noexcept {
  const unsigned peers = processes > 1 ? processes - 1 : 1;
  unsigned window = kMaxWindow;  // a power of two
  while (window > kMinWindow && std::size_t{window} * peers > kReceivesAimedAt) window /= 2;
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
  bool served_up_to(std::uint16_t count, Served&& served) noexcept {
    if (static_cast<std::uint16_t>(count - served_there_) > unserved()) return false;
    while (served_there_ != count) {
      served(served_there_);
      ++served_there_;
    }
    return true;
  }
  bool served_up_to(std::uint16_t count) noexcept {
    if (static_cast<std::uint16_t>(count - served_there_) > unserved()) return false;
    served_there_ = count;
    return true;
  }
  bool is_unserved(std::uint16_t number) const noexcept {
    return static_cast<std::uint16_t>(number - served_there_) < unserved();
  }
  bool may_send_extra() const noexcept {
    return static_cast<std::uint8_t>(extras_sent_ - extras_taken_there_) < kExtraWindow;
  }
  void extra_sent() noexcept { ++extras_sent_; }
  bool extras_taken_up_to(std::uint8_t count) noexcept {
    if (static_cast<std::uint8_t>(count - extras_taken_there_) >
        static_cast<std::uint8_t>(extras_sent_ - extras_taken_there_))
      return false;
    extras_taken_there_ = count;
    return true;
  }

  // -- from the peer
  void serve(bool somebody_waits) noexcept {
    ++served_here_;
    urgent_ = urgent_ || somebody_waits;
  }
  void take_extra() noexcept { ++extras_taken_; }
  // Should a packet go only to carry the counts? When somebody waits for them, or the peer will soon be out
  // of credits.
  bool owes() const noexcept {
    const unsigned untold = static_cast<std::uint16_t>(served_here_ - told_);
    return urgent_ || (untold != 0 && untold >= window_ / 2u) ||
           static_cast<std::uint8_t>(extras_taken_ - extras_told_) >= kExtraWindow / 2;
  }
  std::uint16_t served_here() const noexcept { return served_here_; }
  std::uint8_t extras_taken() const noexcept { return extras_taken_; }
  // A packet with these counts is on its way.
  void told() noexcept {
    told_ = served_here_;
    extras_told_ = extras_taken_;
    urgent_ = false;
  }

 private:
  unsigned unserved() const noexcept { return static_cast<std::uint16_t>(sent_ - served_there_); }

  std::uint16_t window_ = 0;
  std::uint16_t sent_ = 0, served_there_ = 0;
  std::uint16_t served_here_ = 0, told_ = 0;
  std::uint8_t extras_sent_ = 0, extras_taken_there_ = 0;
  std::uint8_t extras_taken_ = 0, extras_told_ = 0;
  bool urgent_ = false;
};
static_assert(sizeof(Credits) == 16);

}  // namespace upcr
