// SPDX-License-Identifier: BSD-3-Clause
// A CRC-32C on every packet (UPCR_CHECKSUM), and bits that tests flip in packets. Both are applied
// immediately before a packet leaves, and the CRC is checked immediately after it has arrived, so that a
// conduit's own headers are covered as well. Debug library only.
//
// A conduit that sends packets as bytes asks packet_check() in its attach() and, where there is one, calls
// seal() for each packet that leaves and, with sums, open() for each one that arrives, before it reads
// anything else in it. Rings in shared memory do the same for slots (ring.cpp).
//
// With sums everything that crosses a conduit must be in packets: a conduit refuses remote access by other
// means (kNotSupported), and core then uses messages; data of Long messages is not stored directly (job.cpp).
//
// Threads: any.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/model/am_packet.hpp"

namespace upcr {

inline constexpr std::size_t kPacketSumBytes = sizeof(std::uint32_t);

// The kind and header that a corrupted packet claims to have, for the report; any of it may be wrong.
struct PacketClaim {
  const char* kind = "of an unknown kind";  // "a put", "a credit update"
  bool has_message = false;                 // then its header is `message`
  AmHeader message{};
};

class PacketCheck {
 public:
  // Do this job's packets carry sums? Constant once the job has started.
  virtual bool sums() const noexcept = 0;
  // The number of bytes that seal() may append.
  virtual std::size_t extra_bytes() const noexcept = 0;
  // The packet is complete. With sums: appends the sum, of the packet and this process's rank. Returns how
  // many bytes to send.
  virtual std::size_t seal(char* packet, std::size_t bytes) noexcept = 0;
  // A packet with a sum has arrived by a conduit of this name. Returns its bytes without the sum. A wrong sum
  // is a fatal error; claim() then returns what the packet claims to be, and may read its bytes.
  virtual std::size_t open(Rank from, const char* packet, std::size_t bytes, const char* conduit,
                           PacketClaim (*claim)(const char* packet, std::size_t bytes)) noexcept = 0;

 protected:
  ~PacketCheck() = default;
};

// Null in the release library.
UPCR_MODULE_API PacketCheck* packet_check() noexcept;

// At the start of a job. Does the environment ask for sums, and does this library support them? The answer
// must be the same in all processes of a job (hosts.cpp compares).
bool packet_sums_requested();
// `sums`: the answer of all processes. The release library warns, once a job, when the user asks for sums.
void start_packet_check(bool sums, Rank rank);

}  // namespace upcr
