// SPDX-License-Identifier: BSD-3-Clause
// The messages of two processes that connect, in datagrams (datagrams/datagram.hpp) or in the private data of
// librdmacm: 56 bytes at most, padded on the way, so each contains its length. Both sides authenticate
// themselves by the job's secret: a process of another job may connect to this one, or listen where a process
// of this job has died. Pure functions; any thread.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/status.hpp"

namespace upcr::ibv {

struct Hello {
  std::uint32_t magic = kMagic;
  std::uint16_t version = kVersion;
  std::uint16_t bytes = sizeof(Hello);
  std::uint64_t secret = 0;
  Rank rank = 0;             // of the sender
  std::uint8_t port = 0;     // the sender's, index into its published ports
  std::uint8_t rail = 0;     // Connection::rail
  std::uint16_t device = 0;  // the sender's Device::index()

  static constexpr std::uint32_t kMagic = 0x52435055;  // "UPCR"
  static constexpr std::uint16_t kVersion = 3;
};
static_assert(sizeof(Hello) == 24);

enum class HelloStatus : std::uint8_t {
  kValid,
  kMissing,        // no private data, or too little
  kOtherProtocol,  // of another protocol
  kOtherVersion,   // another upcr
  kWrongSecret,    // another job, or an attacker
  kWrongRank,      // this process's own, or none of the job
};
const char* to_string(HelloStatus status);

// Checks what has arrived; `hello` is valid if the status is kValid.
HelloStatus check_hello(const void* data, std::size_t bytes, std::uint64_t secret, Rank self, Rank size,
                        Hello* hello);

// The reason in a rejection, where the device passes it on (siw does not).
enum class RejectReason : std::uint32_t {
  kUnknown = 0,  // of the device or the kernel: no process listens, no memory, or private data that was lost
  kRace,         // the lower rank's own attempt is in progress
  kConnected,    // there is a connection already
  kUnauthenticated,  // not authenticated
  kClosing,          // the job ends
  kGone,             // the attempt is known no more (datagrams)
};
struct Rejection {
  std::uint32_t magic = Hello::kMagic;
  RejectReason why = RejectReason::kUnknown;
};
RejectReason reject_reason_in(const void* data, std::size_t bytes);
// Is it of a process, whatever its reason? Else the device or the kernel has rejected it.
bool is_rejection(const void* data, std::size_t bytes);

}  // namespace upcr::ibv
