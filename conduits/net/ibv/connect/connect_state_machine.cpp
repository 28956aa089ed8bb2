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

void ConnectStateMachine::start_deadline(Millis now, const TimeLimits& limits) {
  if (deadline_ == kNever) deadline_ = now + limits.connect;
}

ConnectStateMachine::Action ConnectStateMachine::connect(Millis now, const TimeLimits& limits) {
  if (state_ == State::kConnected) return Action::kNone;
  requested_locally_ = true;
  if (state_ != State::kIdle) return Action::kNone;
  start_deadline(now, limits);
  state_ = State::kResolving;
  return Action::kStart;
}

ConnectStateMachine::Action ConnectStateMachine::request_received(bool lower, Millis now,
                                                                  const TimeLimits& limits) {
  if (state_ == State::kConnected) return Action::kRejectConnected;
  if (state_ == State::kRequestSent && lower) return Action::kRejectRace;
  const bool drop = current();
  start_deadline(now, limits);
  retry_at_ = kNever;
  state_ = State::kAccepted;
  return drop ? Action::kDropAndAccept : Action::kAccept;
}

ConnectStateMachine::Action ConnectStateMachine::established() {
  state_ = State::kConnected;
  requested_locally_ = false;
  deadline_ = no_listener_since_ = retry_at_ = kNever;
  return Action::kReport;
}

ConnectStateMachine::Action ConnectStateMachine::failed(bool no_listener, Millis now,
                                                        const TimeLimits& limits) {
  ++tries_;
  if (!no_listener) no_listener_since_ = kNever;
  if (!requested_locally_) {  // only the peer has requested it
    state_ = State::kIdle;
    deadline_ = kNever;
    return Action::kDrop;
  }
  if (no_listener && no_listener_since_ == kNever) no_listener_since_ = now;
  if (now >= deadline_ || (no_listener && now - no_listener_since_ >= limits.no_listener))
    return Action::kTimedOut;
  state_ = State::kBackoff;
  retry_at_ = std::min(now + backoff_after(tries_), deadline_);
  return Action::kDrop;
}

ConnectStateMachine::Action ConnectStateMachine::disconnected(Millis now, const TimeLimits& limits) {
  return state_ == State::kConnected ? Action::kLost : failed(false, now, limits);
}

void ConnectStateMachine::evicted() { *this = ConnectStateMachine(); }

ConnectStateMachine::Action ConnectStateMachine::tick(Millis now) {
  if (now >= deadline_) {
    if (requested_locally_) return Action::kTimedOut;
    state_ = State::kIdle;  // an accepted request whose sender has not confirmed it
    deadline_ = kNever;
    return Action::kDrop;
  }
  if (state_ != State::kBackoff || now < retry_at_) return Action::kNone;
  retry_at_ = kNever;
  state_ = State::kResolving;
  return Action::kStart;
}

Millis ConnectStateMachine::due() const noexcept { return std::min(deadline_, retry_at_); }

const char* to_string(ConnectStateMachine::State state) {
  switch (state) {
    case ConnectStateMachine::State::kIdle:
      return "idle";
    case ConnectStateMachine::State::kResolving:
      return "resolving the address and the route";
    case ConnectStateMachine::State::kRequestSent:
      return "request sent, waiting for the reply";
    case ConnectStateMachine::State::kAccepted:
      return "accepted, waiting for the peer";
    case ConnectStateMachine::State::kConnected:
      return "connected";
    case ConnectStateMachine::State::kBackoff:
      return "waiting before the next attempt";
  }
  return "?";
}

}  // namespace upcr::ibv
