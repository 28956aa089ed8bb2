// SPDX-License-Identifier: BSD-3-Clause
// The state machine of the connection with one peer: the action that follows an event. Pure, without
// librdmacm: the service thread passes events in and carries out the actions. At most one *link* (an attempt
// of this process, or an accepted request of the peer) is current; events of dropped links are not passed in.
//
// When both processes connect at once (simultaneous open):
//   - an attempt whose request has not been sent yet is dropped for a request that arrives,
//   - of two requests that have been sent, that of the lower rank counts: the lower rank rejects the other
//     one, the higher rank drops its own.
// So one link is left, whatever the order of arrival, and a request that arrives at a process that is
// connected already is a dropped one and is rejected. A process that was rejected retries after a backoff
// unless there is a connection by then; that also covers devices that do not report the reason of a
// rejection.
//
// Time is in milliseconds of any monotonic clock.
#pragma once
#include <cstdint>

#include "conduits/core/base/system/status.hpp"

namespace upcr::ibv {

using Millis = std::uint64_t;

class ConnectStateMachine {
 public:
  enum class State : std::uint8_t {
    kIdle,
    kResolving,    // own attempt: address and route, nothing sent
    kRequestSent,  // own attempt: request sent
    kAccepted,     // the peer's attempt: accepted
    kConnected,
    kBackoff,  // an attempt has failed, the next one follows at retry_at()
  };
  // What follows an event, for the current link and the one of the event.
  enum class Action : std::uint8_t {
    kNothing,
    kStart,          // make a link: resolve the peer's address
    kAccept,         // make the request the current link
    kDropAndAccept,  // the same, after dropping the current link
    kRejectRace,     // reject the request: the own one has been sent and counts
    kRejectConnected,
    kDrop,    // the current link is of no use; try again later, or when somebody asks
    kReport,  // established: tell the client
    kLost,    // the peer has gone
    kGiveUp,  // the time is over
  };
  struct TimeLimits {
    Millis whole = 60'000;  // for a connection
    Millis nobody_listens =
        4'000;  // for a peer whose host says so: it listened when it published its address
  };

  // `lower`: our rank is lower than the peer's.
  Action want(Millis now, const TimeLimits& patience);                   // somebody here needs the connection
  void asked() { state_ = State::kRequestSent; }                         // the request has left
  Action requested(bool lower, Millis now, const TimeLimits& patience);  // the peer's request has arrived
  Action established();
  // The current link has failed; `nobody` says that no process listens at the peer's address.
  Action failed(bool nobody, Millis now, const TimeLimits& patience);
  Action disconnected(Millis now, const TimeLimits& patience);
  Action tick(Millis now);  // when due() has come

  State state() const noexcept { return state_; }
  bool wanted() const noexcept { return wanted_; }
  // When tick() has something to do; kNever: events alone matter.
  Millis due() const noexcept;
  bool current() const noexcept {  // is there a link?
    return state_ == State::kResolving || state_ == State::kRequestSent || state_ == State::kAccepted ||
           state_ == State::kConnected;
  }
  unsigned tries() const noexcept { return tries_; }
  static constexpr Millis kNever = ~Millis{0};

 private:
  void start_deadline(Millis now, const TimeLimits& patience);

  Millis deadline_ = kNever;  // for the connection
  Millis no_listener_since_ = kNever;
  Millis retry_at_ = kNever;
  State state_ = State::kIdle;
  bool wanted_ = false;
  std::uint16_t tries_ = 0;
};
static_assert(sizeof(ConnectStateMachine) <= 32);

const char* words_for(ConnectStateMachine::State state);

}  // namespace upcr::ibv
