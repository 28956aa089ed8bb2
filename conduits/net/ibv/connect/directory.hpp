// SPDX-License-Identifier: BSD-3-Clause
// The addresses on which all processes listen, exchanged at attach. Constant after exchange(); any thread.
#pragma once
#include <span>
#include <string>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/net/ibv/device/published.hpp"

namespace upcr::ibv {

class Directory {
 public:
  // Collective. Ends the job if a process has no port that reaches one of this process.
  void exchange(Bootstrap& bootstrap, Published mine);

  std::uint64_t secret() const noexcept { return all_.front().secret; }
  Rank size() const noexcept { return static_cast<Rank>(all_.size()); }
  const Published& of(Rank rank) const noexcept { return all_[rank]; }
  PortPair pair_for(Rank peer) const;
  std::string name_of(Rank peer) const;  // "rank 3 on node7 (10.77.0.3)"

 private:
  Rank rank_ = 0;
  Table table_;  // one copy for all processes of the host, where the launcher can
  std::span<const Published> all_;
};

}  // namespace upcr::ibv
