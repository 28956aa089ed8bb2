// SPDX-License-Identifier: BSD-3-Clause
// Numeric addresses: those of this host, and conversions between text and socket addresses.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <string>
#include <vector>

namespace upcrun {

// The addresses of this host that other hosts may reach: those of interfaces that are up, IPv4 first, without
// loopback and link-local ones. `wanted`, if not empty, names interfaces or addresses to use instead,
// separated by commas and in order of preference (UPCR_LAUNCH_IFACE). Throws Failure when the host does not
// have one of them.
std::vector<std::string> own_addresses(const std::string& wanted);

// Whether processes of this host can reach each other by 127.0.0.1.
bool has_loopback();

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
};
// Returns nothing when `text` is no numeric address.
std::optional<SocketAddress> to_socket_address(const std::string& text, unsigned port);
// "10.0.0.1:4711", "[fe80::1]:4711", for messages.
std::string describe(const SocketAddress& address);

}  // namespace upcrun
