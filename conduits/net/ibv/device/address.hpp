// SPDX-License-Identifier: BSD-3-Clause
// Addresses of ports: IPv4, or IPv6 (link-local ones included). Pure functions; any thread.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

namespace upcr::ibv {

// An address as it is sent to other processes. A link-local address needs a scope, which every host numbers
// by itself: a process that connects uses the scope of its own port.
struct WireAddress {
  std::uint8_t bytes[16]{};  // IPv4: the first four
  std::uint16_t port = 0;    // of the listener, in network byte order
  std::uint8_t family = 0;   // 4 or 6; 0: none
  std::uint8_t prefix_bits = 0;
};
static_assert(sizeof(WireAddress) == 20);

WireAddress to_wire(const sockaddr_storage& address, std::uint8_t prefix_bits);
// `own`: the port that connects, whose scope a link-local address gets.
sockaddr_storage from_wire(const WireAddress& address, const sockaddr_storage& own);

// "10.77.0.1", "fe80::1%eth0"; with `port` also ":18515", "[fe80::1%eth0]:18515".
std::string text_of(const sockaddr_storage& address, bool port = false);
std::string text_of(const WireAddress& address);

bool is_link_local(const WireAddress& address);  // IPv6, fe80::/10
bool is_loopback(const WireAddress& address);
// Are two addresses on the same link, as far as addresses tell: of one family, and equal in the longer of the
// two prefixes? Link-local addresses count as one subnet, though they may not reach each other.
bool same_subnet(const WireAddress& a, const WireAddress& b);
socklen_t length_of(const sockaddr_storage& address);

}  // namespace upcr::ibv
