// SPDX-License-Identifier: BSD-3-Clause
// How far the connection with one peer is, and what to do next. Knows ranks and time, nothing of librdmacm;
// the service thread feeds it with events and does what it answers. At most one *link* (an attempt of ours,
// or an accepted request of the peer's) is current; events of links that were dropped do not get here.
//
// When both processes ask at once:
//   - an attempt that has not left yet gives way to a request that has arrived,
//   - of two that have left, the lower rank's counts: the lower rank refuses, the higher one drops its own.
// So whatever the order of arrival one link is left, and a request that arrives late, at a process that is
// connected, is a dropped one and refused. A refused process tries again after a pause unless a connection
// comes about meanwhile; that also covers devices which do not tell why they were refused.
//
// Time is in milliseconds of any clock that does not go back.
#pragma once
#include <cstdint>

#include "conduits/core/base/system/status.hpp"

namespace upcr::ibv {

using Millis = std::uint64_t;

class ConnectStateMachine {
 public:
  enum class State : std::uint8_t {
    kIdle,
    kResolving,    // our attempt: address and route, nothing sent
    kRequestSent,  // our attempt: sent
    kAccepted,     // the peer's attempt: answered
    kConnected,
    kBackoff,  // wanted, tried in vain, until retry_at()
  };
  // In answer to an event, for the current link and the one that the event brings.
  enum class Action : std::uint8_t {
    kNothing,
    kStart,          // make a link: resolve the peer's address
    kAccept,         // make the request the current link
    kDropAndAccept,  // the same, after dropping the current link
    kRejectRace,     // refuse the request: ours has left and counts
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
