// SPDX-License-Identifier: BSD-3-Clause
// A CRC-32C on every packet (UPCR_CHECKSUM), and bits that tests flip in packets. Both at the last moment
// before a packet leaves and the first one after it has arrived, so that a conduit's own heads are covered as
// well. Debug library only.
//
// A conduit that sends packets as bytes asks packet_check() in its attach() and, where there is one, calls
// seal() for each packet that leaves and, with sums, open() for each one that arrives, before it looks at
// anything in it. Rings in shared memory do the same for slots (ring.cpp).
//
// With sums everything that crosses a conduit is to be in packets: a conduit refuses remote access by other
// ways (kNotSupported), and core then uses messages; Long messages' data is not stored directly (job.cpp).
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

// What a packet says it is, for the report of one that is corrupted; any of it may be wrong.
struct PacketClaim {
  const char* kind = "of an unknown kind";  // "a put", "a credit update"
  bool has_message = false;                 // then its header is `message`
  AmHeader message{};
};

class PacketCheck {
 public:
  // Do this job's packets carry sums? Constant once the job has started.
  virtual bool sums() const noexcept = 0;
  // How many bytes seal() may append.
  virtual std::size_t extra_bytes() const noexcept = 0;
  // The packet is complete. With sums: appends the sum, of the packet and this process's rank. Returns how
  // many bytes to send.
  virtual std::size_t seal(char* packet, std::size_t bytes) noexcept = 0;
  // A packet with a sum has arrived by a conduit of this name. Returns its bytes without the sum. A wrong sum
  // is a fatal error; claim() is then asked what the packet says it is, and may look at the bytes that there
  // are.
  virtual std::size_t open(Rank from, const char* packet, std::size_t bytes, const char* conduit,
                           PacketClaim (*claim)(const char* packet, std::size_t bytes)) noexcept = 0;

 protected:
  ~PacketCheck() = default;
};

// Null in the release library.
UPCR_MODULE_API PacketCheck* packet_check() noexcept;

// At the start of a job. Does the environment ask for sums, and can this library have them? All processes of
// a job must say the same (hosts.cpp compares).
bool packet_sums_requested();
// What all have said. The release library warns, once a job, when the user asks for what it does not have.
void start_packet_check(bool sums, Rank rank);

}  // namespace upcr
