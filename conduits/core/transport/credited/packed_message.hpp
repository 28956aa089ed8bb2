// SPDX-License-Identifier: BSD-3-Clause
// An active message in contiguous memory, as a packet carries it behind its header (packet_header.hpp):
//   AmHeader, arguments, padding to 8, payload
// The memory is aligned to 8.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "conduits/core/model/am_packet.hpp"

namespace upcr {

// A copy of the structure at the start of some bytes.
template <typename T>
T read_as(const void* bytes) noexcept {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// The offset of the payload in a message of so many arguments.
constexpr std::size_t packed_payload_offset(unsigned nargs) noexcept {
  return sizeof(AmHeader) + (nargs * sizeof(std::uint32_t) + 7) / 8 * 8;
}
inline constexpr std::size_t kMaxPayloadOffset = packed_payload_offset(kMaxAmArgs);

// Copies `bytes` bytes of the payload, prefix and body together, from `offset` on.
inline void copy_payload(char* to, const AmPacket& p, std::size_t offset, std::size_t bytes) noexcept {
  if (offset < p.prefix_bytes) {
    const std::size_t n = std::min(bytes, p.prefix_bytes - offset);
    std::memcpy(to, static_cast<const char*>(p.prefix) + offset, n);
    to += n;
    offset += n;
    bytes -= n;
  }
  if (bytes != 0) std::memcpy(to, static_cast<const char*>(p.body) + (offset - p.prefix_bytes), bytes);
}

// Writes the message to `to` without the first `ahead` bytes of its payload, which travel in a packet before
// it. Returns the number of bytes written.
inline std::size_t pack_message(char* to, const AmPacket& p, std::size_t ahead = 0) noexcept {
  std::memcpy(to, &p.head, sizeof p.head);
  if (p.head.nargs != 0) std::memcpy(to + sizeof p.head, p.args, p.head.nargs * sizeof *p.args);
  const std::size_t offset = packed_payload_offset(p.head.nargs), rest = p.head.length - ahead;
  copy_payload(to + offset, p, ahead, rest);
  return offset + rest;
}

// Is this a message as pack_message() writes it, with at most `max_medium` bytes of payload? ahead(head)
// returns how many of these travel in a packet before it. To be called before anything in it is used.
template <typename Ahead>
bool is_packed_message(const char* at, std::size_t bytes, std::size_t max_medium, Ahead&& ahead) noexcept {
  if (bytes < sizeof(AmHeader)) return false;
  const auto head = read_as<AmHeader>(at);
  return head.nargs <= kMaxAmArgs && head.length <= max_medium &&
         bytes == packed_payload_offset(head.nargs) + head.length - ahead(head);
}
inline bool is_packed_message(const char* at, std::size_t bytes, std::size_t max_medium) noexcept {
  return is_packed_message(at, bytes, max_medium, [](const AmHeader&) { return std::size_t{0}; });
}

// The message as the argument of AmSink::deliver(). Copies nothing.
inline AmArrival unpack_message(Rank source, char* at) noexcept {
  const auto head = read_as<AmHeader>(at);
  return {source, head, reinterpret_cast<const std::uint32_t*>(at + sizeof head),
          at + packed_payload_offset(head.nargs)};
}

}  // namespace upcr
