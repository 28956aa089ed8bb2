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
  WireAddress address;  // of its listener
  Kind kind = Kind::kOther;
  std::uint8_t device = 0;  // Device::index()
  std::uint16_t span = 0;   // FoundDevice::span
};

// Sent as bytes.
struct Published {
  std::uint64_t secret = 0;  // of the job; rank 0's counts
  PublishedPort ports[kMaxPorts];
  char host[47]{};
  std::uint8_t count = 0;
};
static_assert(sizeof(PublishedPort) == 24 && sizeof(Published) == 152);

// Chooses a port of this process and one of the peer's: of those in one subnet the nearest to both, equals by
// `turn`; if no subnet is common, of those that a router may join. False: there are none.
struct PortPair {
  unsigned own, remote;
};
bool choose_pair(const Published& own, const Published& peer, unsigned turn, PortPair* pair);

// "RoCE 10.77.0.1/24, RoCE 10.77.1.1/24", for messages.
std::string ports_of(const Published& published);

}  // namespace upcr::ibv
