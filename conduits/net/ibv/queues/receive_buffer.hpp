// SPDX-License-Identifier: BSD-3-Clause
// A packet's buffer, with what is known of the packet while it is taken, or held. No verbs here.
#pragma once
#include <cstdint>

#include "conduits/net/ibv/queues/wire.hpp"

namespace upcr::ibv {

struct Link;

struct alignas(64) ReceiveBuffer {
  Link* link = nullptr;           // whose; null: of the shared queue
  ReceiveBuffer* next = nullptr;  // among the held ones
  Link* from = nullptr;           // while held: who sent it
  std::uint32_t bytes = 0;        // while held: of the packet
  std::uint32_t key = 0;
  bool is_copy = false;  // of packet_copies.hpp, never posted
  alignas(64) char packet[kPacketBytes];
};

}  // namespace upcr::ibv
