// SPDX-License-Identifier: BSD-3-Clause
// Numeric addresses: those of this host, and turning text into what sockets take.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <string>
#include <vector>

namespace upcrun {

// The addresses of this host that other hosts may reach: of interfaces that are up, IPv4 first, loopback and
// link-local ones left out. `wanted`: interface names or addresses, separated by commas, that are to be taken
// instead, in that order (UPCR_LAUNCH_IFACE); Failure when one is not there.
std::vector<std::string> own_addresses(const std::string& wanted);

// Whether processes of this host can reach each other by 127.0.0.1.
bool has_loopback();

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
};
// Nothing when `text` is no numeric address.
std::optional<SocketAddress> to_socket_address(const std::string& text, unsigned port);
// "10.0.0.1:4711", "[fe80::1]:4711", for messages.
std::string in_words(const SocketAddress& address);

}  // namespace upcrun
