// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connect/attempts.hpp"

#include <algorithm>

namespace upcr::ibv {
namespace {

constexpr Millis kFirstPause = 20, kLongestPause = 2'000;

Millis pause_after(unsigned tries) { return std::min(kFirstPause << std::min(tries, 10U), kLongestPause); }

}  // namespace

void Attempts::start_clock(Millis now, const Patience& patience) {
  if (deadline_ == kNever) deadline_ = now + patience.whole;
}

Attempts::Do Attempts::want(Millis now, const Patience& patience) {
  if (state_ == State::kConnected) return Do::kNothing;
  wanted_ = true;
  if (state_ != State::kIdle) return Do::kNothing;
  start_clock(now, patience);
  state_ = State::kResolving;
  return Do::kStart;
}

Attempts::Do Attempts::requested(bool lower, Millis now, const Patience& patience) {
  if (state_ == State::kConnected) return Do::kRefuseConnected;
  if (state_ == State::kAsked && lower) return Do::kRefuseRace;
  const bool drop = current();
  start_clock(now, patience);
  retry_at_ = kNever;
  state_ = State::kAccepted;
  return drop ? Do::kDropAndAccept : Do::kAccept;
}

Attempts::Do Attempts::established() {
  state_ = State::kConnected;
  wanted_ = false;
  deadline_ = nobody_since_ = retry_at_ = kNever;
  return Do::kReport;
}

Attempts::Do Attempts::failed(bool nobody, Millis now, const Patience& patience) {
  ++tries_;
  if (!nobody) nobody_since_ = kNever;
  if (!wanted_) {  // it was the peer's wish
    state_ = State::kIdle;
    deadline_ = kNever;
    return Do::kDrop;
  }
  if (nobody && nobody_since_ == kNever) nobody_since_ = now;
  if (now >= deadline_ || (nobody && now - nobody_since_ >= patience.nobody_listens)) return Do::kGiveUp;
  state_ = State::kPausing;
  retry_at_ = std::min(now + pause_after(tries_), deadline_);
  return Do::kDrop;
}

Attempts::Do Attempts::disconnected(Millis now, const Patience& patience) {
  return state_ == State::kConnected ? Do::kLost : failed(false, now, patience);
}

Attempts::Do Attempts::tick(Millis now) {
  if (now >= deadline_) {
    if (wanted_) return Do::kGiveUp;
    state_ = State::kIdle;  // a request whose sender has fallen silent
    deadline_ = kNever;
    return Do::kDrop;
  }
  if (state_ != State::kPausing || now < retry_at_) return Do::kNothing;
  retry_at_ = kNever;
  state_ = State::kResolving;
  return Do::kStart;
}

Millis Attempts::due() const noexcept { return std::min(deadline_, retry_at_); }

const char* words_for(Attempts::State state) {
  switch (state) {
    case Attempts::State::kIdle:
      return "idle";
    case Attempts::State::kResolving:
      return "looking for a route";
    case Attempts::State::kAsked:
      return "waiting for an answer";
    case Attempts::State::kAccepted:
      return "accepted, waiting for the peer";
    case Attempts::State::kConnected:
      return "connected";
    case Attempts::State::kPausing:
      return "about to try again";
  }
  return "?";
}

}  // namespace upcr::ibv
