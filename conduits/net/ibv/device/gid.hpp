// SPDX-License-Identifier: BSD-3-Clause
// GIDs: the addresses of ports that need no IP configuration. On InfiniBand a GID is the subnet's prefix and
// the port's own number; on RoCE each is an IP address of the network interface, or the link-local one that
// its MAC address makes. Main thread.
#pragma once
#include <infiniband/verbs.h>
#include <sys/socket.h>

#include <cstdint>
#include <span>
#include <vector>

#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {

std::vector<ibv_gid_entry> gid_table(ibv_context* context);

// The GID that connections without librdmacm use: on InfiniBand the port's default; on RoCE, of version 2
// before version 1, an IPv4 address before one of IPv6 before a link-local one. Null: there is none, or the
// transport (iWARP) has no datagrams.
const ibv_gid_entry* choose_gid(std::span<const ibv_gid_entry> table, unsigned port, Kind kind) noexcept;

// As an address: IPv4 where it is one. Those of InfiniBand are written as IPv6 addresses.
sockaddr_storage address_of(const ibv_gid_entry& entry, Kind kind) noexcept;
// The bits in which the GIDs of a subnet are equal, where they say that: InfiniBand, and link-local ones.
inline constexpr std::uint8_t kGidPrefixBits = 64;

}  // namespace upcr::ibv
