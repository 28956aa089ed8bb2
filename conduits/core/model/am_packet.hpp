// SPDX-License-Identifier: BSD-3-Clause
// An active-message packet. The engine builds it; a conduit sends it unchanged.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/status.hpp"

namespace upcr {

inline constexpr unsigned kMaxAmArgs = 16;
// Of a message with a payload that is sent in bulk (Conduit::am_send_bulk).
inline constexpr std::size_t kMaxBulkPrefix = 3072;

// 8 bytes, copied verbatim into the packet; host byte order (a job runs on one architecture).
struct AmHeader {
  std::uint8_t handler;  // index in the client's or the internal table
  std::uint8_t nargs;    // 0..kMaxAmArgs
  std::uint8_t flags;    // AmFlags
  std::uint8_t unused;
  std::uint32_t length;  // payload bytes in this packet (prefix included)
};
static_assert(sizeof(AmHeader) == 8);

enum AmFlags : std::uint8_t {
  kAmReply = 1,     // else a request
  kAmInternal = 2,  // the internal handler table
  kAmMedium = 4,    // has a payload
  kAmLong = 8,      // payload is a LongPrefix and a fragment of the data (or no data: already in place)
};

// Starts the payload of every packet of a Long message.
struct LongPrefix {
  std::uint64_t dest;      // address in the target process
  std::uint64_t total;     // bytes of the whole message
  std::uint64_t offset;    // of this fragment
  std::uint32_t id;        // the sender's number of this message, to put fragments together
  std::uint32_t in_place;  // 1: the data was stored by the sender; this packet carries none
};
static_assert(sizeof(LongPrefix) == 32);

// A packet to send. The payload is prefix followed by body; either may be empty.
struct AmPacket {
  AmHeader head;
  const std::uint32_t* args = nullptr;
  const void* prefix = nullptr;
  std::size_t prefix_bytes = 0;
  const void* body = nullptr;
  std::size_t body_bytes = 0;
};

// A packet that arrived. The memory belongs to the conduit and is valid during AmSink::deliver().
// The payload is 8-byte aligned.
struct AmArrival {
  Rank source;
  AmHeader head;
  const std::uint32_t* args;
  void* payload;
};

}  // namespace upcr
