// SPDX-License-Identifier: BSD-3-Clause
// The addresses at which all processes can be reached, exchanged at attach. Constant after that; any thread.
#pragma once
#include <span>
#include <string>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/net/ibv/connector/published.hpp"

namespace upcr::ibv {

class Directory {
 public:
  // Collective. May be called again, with other addresses.
  void exchange(Bootstrap& bootstrap, const Published& mine);
  // Ends the job if a process has no port that reaches one of this process.
  void require_pairs() const;

  std::uint64_t secret() const noexcept { return all_.front().secret; }
  Rank rank() const noexcept { return rank_; }  // of this process
  Rank size() const noexcept { return static_cast<Rank>(all_.size()); }
  std::span<const Published> all() const noexcept { return all_; }
  const Published& of(Rank rank) const noexcept { return all_[rank]; }
  PortPair pair_for(Rank peer) const;
  std::string name_of(Rank peer) const;  // "rank 3 on node7 (10.77.0.3)"

 private:
  Rank rank_ = 0;
  Table table_;  // one copy for all processes of the host, where the launcher can
  std::span<const Published> all_;
};

}  // namespace upcr::ibv
