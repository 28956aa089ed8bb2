// SPDX-License-Identifier: BSD-3-Clause
// Where everybody listens: what each process has told the others at attach. Constant after exchange(); any
// thread.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conduits/bootstrap/bootstrap.hpp"
#include "conduits/ibv/address.hpp"
#include "conduits/ibv/ports.hpp"

namespace upcr::ibv {

struct PublishedPort {
  WireAddress address;  // of its listener
  Kind kind = Kind::kOther;
  std::uint8_t device = 0;  // Device::index()
  std::uint16_t span = 0;   // FoundDevice::span
};

// Travels as bytes.
struct Published {
  std::uint64_t secret = 0;  // of the job; rank 0's counts
  PublishedPort ports[kMaxPorts];
  char host[47]{};
  std::uint8_t count = 0;
};
static_assert(sizeof(PublishedPort) == 24 && sizeof(Published) == 152);

// Which port of ours goes with which of the peer's: of those in one subnet the nearest to both, and `turn`
// deals out equals; where no subnet is common, of those that a router may join. False: there are none.
struct PortPair {
  unsigned own, remote;
};
bool choose_pair(const Published& own, const Published& peer, unsigned turn, PortPair* pair);

class Directory {
 public:
  // Collective. Ends the job when some process has no port in common with this one.
  void exchange(Bootstrap& bootstrap, Published mine);

  std::uint64_t secret() const noexcept { return all_.front().secret; }
  Rank size() const noexcept { return static_cast<Rank>(all_.size()); }
  const Published& of(Rank rank) const noexcept { return all_[rank]; }
  PortPair pair_for(Rank peer) const;
  std::string name_of(Rank peer) const;  // "rank 3 on node7 (10.77.0.3)"

 private:
  Rank rank_ = 0;
  std::vector<Published> all_;
};

}  // namespace upcr::ibv
