// SPDX-License-Identifier: BSD-3-Clause
// Credits and acknowledgements between this process and one other: four counts. No MPI here.
//
// What needs a credit (wire.hpp: requests) is numbered by its sender and served in that order by its
// receiver, so one count, "of yours I have served so many", gives back credits and acknowledges puts. It
// rides in the head of every packet. A sender has at most `window` numbers unserved; replies need none,
// because the receiver serves a request only when the reply has a buffer, and the count that gives the credit
// back travels with the reply or behind it. Replies outside handlers (the engine's long ones) are counted in
// the same way, apart.
//
// Under the conduit's lock.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/completion.hpp"

namespace upcr::mpi {

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

// What a request's sender does when the request has been served, or answered.
struct Outstanding {
  Pending* pending;     // of a put: completed when served; of a get: when its reply is here
  void* destination;    // of a get; null: no get
  std::uint32_t bytes;  // of a get
};
static_assert(sizeof(Outstanding) == 24);

class Account {
 public:
  // `outstanding`: `window` entries of the conduit's; `window` is a power of two.
  void open(Outstanding* outstanding, unsigned window) noexcept {
    outstanding_ = outstanding;
    window_ = static_cast<std::uint16_t>(window);
  }

  // -- towards the peer
  unsigned credits() const noexcept { return window_ - unserved(); }
  // Takes a credit; the request's number.
  std::uint16_t take_credit(Pending* pending, void* destination, std::uint32_t bytes) noexcept {
    entry(sent_) = {pending, destination, bytes};
    return sent_++;
  }
  // The peer's count arrived. False: it cannot be, more than was sent.
  bool served_up_to(std::uint16_t count) noexcept {
    if (static_cast<std::uint16_t>(count - served_there_) > unserved()) return false;
    while (served_there_ != count) {
      const Outstanding& o = entry(served_there_);
      if (o.destination == nullptr && o.pending != nullptr) o.pending->complete();
      ++served_there_;
    }
    return true;
  }
  // The get with this number, when it is under way; null: there is none. To be asked before the count in the
  // reply's head is looked at.
  const Outstanding* get_under_way(std::uint32_t number) const noexcept {
    if (number > UINT16_MAX) return nullptr;
    if (static_cast<std::uint16_t>(static_cast<std::uint16_t>(number) - served_there_) >= unserved())
      return nullptr;
    const Outstanding& o = outstanding_[number % window_];
    return o.destination != nullptr ? &o : nullptr;
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
    return urgent_ || static_cast<std::uint16_t>(served_here_ - told_) >= window_ / 2 ||
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
  Outstanding& entry(std::uint16_t number) noexcept { return outstanding_[number % window_]; }

  Outstanding* outstanding_ = nullptr;
  std::uint16_t window_ = 0;
  std::uint16_t sent_ = 0, served_there_ = 0;
  std::uint16_t served_here_ = 0, told_ = 0;
  std::uint8_t extras_sent_ = 0, extras_taken_there_ = 0;
  std::uint8_t extras_taken_ = 0, extras_told_ = 0;
  bool urgent_ = false;
};

}  // namespace upcr::mpi
