// SPDX-License-Identifier: BSD-3-Clause
// The description of its ports that each process sends to the others, and which two ports a pair of processes
// uses. Pure functions; any thread.
#pragma once
#include <cstdint>
#include <string>

#include "conduits/net/ibv/device/address.hpp"
#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {

struct PublishedPort {
  WireAddress address;  // of its listener (librdmacm), or its GID
  Kind kind = Kind::kOther;
  std::uint8_t device = 0;       // Device::index()
  std::uint16_t span = 0;        // FoundDevice::span
  std::uint32_t queue_pair = 0;  // for datagrams; 0: none (librdmacm)
  std::uint16_t lid = 0;         // InfiniBand
  std::uint8_t mtu = 0;          // ibv_mtu, of the port
  std::uint8_t features = 0;     // of the bits below; librdmacm does without

  static constexpr std::uint8_t kNeedsGrh = 1;      // InfiniBand: packets need a global routing header
  static constexpr std::uint8_t kRoceVersion1 = 2;  // which version 2 does not reach
  bool has(std::uint8_t feature) const noexcept { return (features & feature) != 0; }

  // A router of InfiniBand has a path that only the subnet manager knows, whom datagrams do not ask.
  bool needs_one_subnet() const noexcept { return kind == Kind::kInfiniBand && queue_pair != 0; }
};

// Sent as bytes.
struct Published {
  std::uint64_t secret = 0;  // of the job; rank 0's counts
  PublishedPort ports[kMaxPorts];
  char host[46]{};
  std::uint8_t ways = 0;  // by which this process can make connections: bits of connect_by.hpp
  std::uint8_t count = 0;
};
static_assert(sizeof(PublishedPort) == 32 && sizeof(Published) == 184);

// Chooses a port of this process and one of the peer's: of those in one subnet the nearest to both, equals by
// `turn`; if no subnet is common, of those that a router may join. False: there are none.
struct PortPair {
  unsigned own, remote;
};
bool choose_pair(const Published& own, const Published& peer, unsigned turn, PortPair* pair);

// The pairs of ports for rails beside the connection by `first`: no port is in two of them, nearer ones come
// first. Of one subnet; others only where `first` itself is routed. Returns how many.
unsigned choose_rails(const Published& own, const Published& peer, PortPair first,
                      PortPair (&rails)[kMaxPorts]);

// "RoCE 10.77.0.1/24, RoCE 10.77.1.1/24", for messages.
std::string ports_of(const Published& published);

}  // namespace upcr::ibv
