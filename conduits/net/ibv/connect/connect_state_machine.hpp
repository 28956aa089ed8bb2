// SPDX-License-Identifier: BSD-3-Clause
// The state machine of the connection with one peer: the action that follows an event. Pure, whatever makes
// the connections: the service thread passes events in and carries out the actions. At most one *link* (an
// attempt of this process, or an accepted request of the peer) is current; events of dropped links are not
// passed in.
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
#include "conduits/net/ibv/connector/clock.hpp"

namespace upcr::ibv {

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
  // The consequence of an event, for the current link and the one of the event.
  enum class Action : std::uint8_t {
    kNone,
    kStart,          // create a link: resolve the peer's address
    kAccept,         // make the request the current link
    kDropAndAccept,  // the same, after dropping the current link
    kRejectRace,     // reject the request: the own one has been sent and counts
    kRejectConnected,
    kDrop,      // drop the current link; retry later, or when a connection is requested
    kReport,    // established: notify the client
    kLost,      // the peer has disconnected
    kTimedOut,  // the time limit is over
  };
  struct TimeLimits {
    Millis connect = 60'000;  // for a connection
    Millis no_listener =
        4'000;  // after a host reports that no process listens: one did when it published its address
  };

  // `lower`: this process's rank is lower than the peer's.
  Action connect(Millis now, const TimeLimits& limits);  // this process needs the connection
  void request_sent() { state_ = State::kRequestSent; }
  Action request_received(bool lower, Millis now, const TimeLimits& limits);
  Action established();
  // The current link has failed. `no_listener`: no process listens at the peer's address.
  Action failed(bool no_listener, Millis now, const TimeLimits& limits);
  Action disconnected(Millis now, const TimeLimits& limits);
  // Both ends have agreed to close the connection: another one may be made.
  void evicted();
  Action tick(Millis now);  // at due() or later

  State state() const noexcept { return state_; }
  bool requested_locally() const noexcept { return requested_locally_; }
  // When tick() is to be called; kNever: not before the next event.
  Millis due() const noexcept;
  bool current() const noexcept {  // is there a link?
    return state_ == State::kResolving || state_ == State::kRequestSent || state_ == State::kAccepted ||
           state_ == State::kConnected;
  }
  unsigned tries() const noexcept { return tries_; }
  static constexpr Millis kNever = ibv::kNever;

 private:
  void start_deadline(Millis now, const TimeLimits& limits);

  Millis deadline_ = kNever;  // for the connection
  Millis no_listener_since_ = kNever;
  Millis retry_at_ = kNever;
  State state_ = State::kIdle;
  bool requested_locally_ = false;
  std::uint16_t tries_ = 0;
};
static_assert(sizeof(ConnectStateMachine) <= 32);

const char* to_string(ConnectStateMachine::State state);

}  // namespace upcr::ibv
