// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connect/connect_state_machine.hpp"

#include <algorithm>

namespace upcr::ibv {
namespace {

constexpr Millis kFirstPause = 20, kLongestPause = 2'000;

Millis pause_after(unsigned tries) { return std::min(kFirstPause << std::min(tries, 10U), kLongestPause); }

}  // namespace

void ConnectStateMachine::start_clock(Millis now, const TimeLimits& patience) {
  if (deadline_ == kNever) deadline_ = now + patience.whole;
}

ConnectStateMachine::Action ConnectStateMachine::want(Millis now, const TimeLimits& patience) {
  if (state_ == State::kConnected) return Action::kNothing;
  wanted_ = true;
  if (state_ != State::kIdle) return Action::kNothing;
  start_clock(now, patience);
  state_ = State::kResolving;
  return Action::kStart;
}

ConnectStateMachine::Action ConnectStateMachine::requested(bool lower, Millis now,
                                                           const TimeLimits& patience) {
  if (state_ == State::kConnected) return Action::kRefuseConnected;
  if (state_ == State::kAsked && lower) return Action::kRefuseRace;
  const bool drop = current();
  start_clock(now, patience);
  retry_at_ = kNever;
  state_ = State::kAccepted;
  return drop ? Action::kDropAndAccept : Action::kAccept;
}

ConnectStateMachine::Action ConnectStateMachine::established() {
  state_ = State::kConnected;
  wanted_ = false;
  deadline_ = nobody_since_ = retry_at_ = kNever;
  return Action::kReport;
}

ConnectStateMachine::Action ConnectStateMachine::failed(bool nobody, Millis now, const TimeLimits& patience) {
  ++tries_;
  if (!nobody) nobody_since_ = kNever;
  if (!wanted_) {  // it was the peer's wish
    state_ = State::kIdle;
    deadline_ = kNever;
    return Action::kDrop;
  }
  if (nobody && nobody_since_ == kNever) nobody_since_ = now;
  if (now >= deadline_ || (nobody && now - nobody_since_ >= patience.nobody_listens)) return Action::kGiveUp;
  state_ = State::kPausing;
  retry_at_ = std::min(now + pause_after(tries_), deadline_);
  return Action::kDrop;
}

ConnectStateMachine::Action ConnectStateMachine::disconnected(Millis now, const TimeLimits& patience) {
  return state_ == State::kConnected ? Action::kLost : failed(false, now, patience);
}

ConnectStateMachine::Action ConnectStateMachine::tick(Millis now) {
  if (now >= deadline_) {
    if (wanted_) return Action::kGiveUp;
    state_ = State::kIdle;  // a request whose sender has fallen silent
    deadline_ = kNever;
    return Action::kDrop;
  }
  if (state_ != State::kPausing || now < retry_at_) return Action::kNothing;
  retry_at_ = kNever;
  state_ = State::kResolving;
  return Action::kStart;
}

Millis ConnectStateMachine::due() const noexcept { return std::min(deadline_, retry_at_); }

const char* words_for(ConnectStateMachine::State state) {
  switch (state) {
    case ConnectStateMachine::State::kIdle:
      return "idle";
    case ConnectStateMachine::State::kResolving:
      return "looking for a route";
    case ConnectStateMachine::State::kAsked:
      return "waiting for an answer";
    case ConnectStateMachine::State::kAccepted:
      return "accepted, waiting for the peer";
    case ConnectStateMachine::State::kConnected:
      return "connected";
    case ConnectStateMachine::State::kPausing:
      return "about to try again";
  }
  return "?";
}

}  // namespace upcr::ibv
