// SPDX-License-Identifier: BSD-3-Clause
// The first information of a process for the others; travels as bytes. No libfabric here.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr::ofi {

struct Greeting {
  char provider[56];  // with a final 0, as host
  std::uint32_t address_bytes, address_format;
  char host[66];
  std::uint16_t probe_port;  // 0: none
};
static_assert(sizeof(Greeting) == 132);

// Beside the greeting: the name of an endpoint, as sockaddr_in (sockaddr_in6 takes 28 bytes).
inline constexpr std::size_t kIpv4NameBytes = 16;
// Of a process itself: fi_addr_t, of a process to which something is sent.
inline constexpr std::size_t kAddressBytesPerPeer = sizeof(std::uint64_t);

}  // namespace upcr::ofi
