// SPDX-License-Identifier: BSD-3-Clause
// The receive buffer of a packet, with what is known of the packet while it is processed or held. No verbs
// here.
#pragma once
#include <cstdint>

#include "conduits/net/ibv/queues/wire.hpp"

namespace upcr::ibv {

struct Link;

struct alignas(64) ReceiveBuffer {
  Link* link = nullptr;           // whose receive queue it belongs to; null: the shared one
  ReceiveBuffer* next = nullptr;  // in a list of unused copies
  Link* from = nullptr;           // the sender of the packet
  std::uint32_t bytes = 0;        // of the packet
  std::uint32_t key = 0;
  bool is_copy = false;  // of packet_copies.hpp, never posted
  alignas(64) char packet[kPacketBytes];
};

}  // namespace upcr::ibv
