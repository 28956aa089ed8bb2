// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connect/connect_state_machine.hpp"

#include <algorithm>

namespace upcr::ibv {
namespace {

constexpr Millis kFirstBackoff = 20, kLongestBackoff = 2'000;

Millis backoff_after(unsigned tries) {
  return std::min(kFirstBackoff << std::min(tries, 10U), kLongestBackoff);
}

}  // namespace

void ConnectStateMachine::start_deadline(Millis now, const TimeLimits& patience) {
  if (deadline_ == kNever) deadline_ = now + patience.whole;
}

ConnectStateMachine::Action ConnectStateMachine::want(Millis now, const TimeLimits& patience) {
  if (state_ == State::kConnected) return Action::kNothing;
  wanted_ = true;
  if (state_ != State::kIdle) return Action::kNothing;
  start_deadline(now, patience);
  state_ = State::kResolving;
  return Action::kStart;
}

ConnectStateMachine::Action ConnectStateMachine::requested(bool lower, Millis now,
                                                           const TimeLimits& patience) {
  if (state_ == State::kConnected) return Action::kRejectConnected;
  if (state_ == State::kRequestSent && lower) return Action::kRejectRace;
  const bool drop = current();
  start_deadline(now, patience);
  retry_at_ = kNever;
  state_ = State::kAccepted;
  return drop ? Action::kDropAndAccept : Action::kAccept;
}

ConnectStateMachine::Action ConnectStateMachine::established() {
  state_ = State::kConnected;
  wanted_ = false;
  deadline_ = no_listener_since_ = retry_at_ = kNever;
  return Action::kReport;
}

ConnectStateMachine::Action ConnectStateMachine::failed(bool nobody, Millis now, const TimeLimits& patience) {
  ++tries_;
  if (!nobody) no_listener_since_ = kNever;
  if (!wanted_) {  // it was the peer's wish
    state_ = State::kIdle;
    deadline_ = kNever;
    return Action::kDrop;
  }
  if (nobody && no_listener_since_ == kNever) no_listener_since_ = now;
  if (now >= deadline_ || (nobody && now - no_listener_since_ >= patience.nobody_listens))
    return Action::kGiveUp;
  state_ = State::kBackoff;
  retry_at_ = std::min(now + backoff_after(tries_), deadline_);
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
  if (state_ != State::kBackoff || now < retry_at_) return Action::kNothing;
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
    case ConnectStateMachine::State::kRequestSent:
      return "waiting for an answer";
    case ConnectStateMachine::State::kAccepted:
      return "accepted, waiting for the peer";
    case ConnectStateMachine::State::kConnected:
      return "connected";
    case ConnectStateMachine::State::kBackoff:
      return "about to try again";
  }
  return "?";
}

}  // namespace upcr::ibv
