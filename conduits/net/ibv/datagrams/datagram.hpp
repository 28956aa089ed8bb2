// SPDX-License-Identifier: BSD-3-Clause
// The datagrams by which two processes connect. Each names its attempt: the side that has begun it, the
// *active* one, has given it a number, and numbers of one process increase. A datagram may be lost, repeated,
// or late.
//
// clang-format off
//   kRequest       active   its queue pair
//   kReply         passive  its queue pair, to which the active one can send from now on
//   kReady         active   it has the reply; XRC: its peer can send to it from now on
//   kReject        either   the request is refused; or what has arrived is of an attempt that was given up
//   kDisconnect    either   the connection has ended
//   kDisconnected  either   the reply to it
// clang-format on
//
// With XRC each end tells, beside its own queue pair, which is common to all its connections with the peer's
// host, what the other one needs of this side's host (xrc/host_connections.hpp).
#pragma once
#include <cstdint>

#include "conduits/net/ibv/connector/handshake.hpp"

namespace upcr::ibv {

enum class DatagramKind : std::uint8_t { kRequest = 1, kReply, kReady, kReject, kDisconnect, kDisconnected };

// Sent as bytes.
struct Datagram {
  Hello hello;  // of the sender: Hello::port is the one to reply to
  DatagramKind kind = DatagramKind::kRequest;
  std::uint8_t active = 0;  // 1: the sender has begun the attempt
  std::uint8_t reads = 0;   // reads and atomics outstanding that the sender's device can make and take
  std::uint8_t reason = 0;  // RejectReason
  std::uint32_t attempt = 0;
  std::uint32_t queue_pair = 0;                 // the sender's
  std::uint32_t first_packet = 0;               // number of the first packet that it sends
  std::uint32_t to_queue_pair = 0;              // kReady: the one of the reply
  std::uint32_t srq = 0, target = 0, uses = 0;  // XRC: as in QueuePairEnd
  std::uint32_t unused = 0;
};
static_assert(sizeof(Datagram) == 64);

}  // namespace upcr::ibv
