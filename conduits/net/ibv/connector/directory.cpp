// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connector/directory.hpp"

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/net/ibv/device/choice.hpp"

namespace upcr::ibv {

void Directory::exchange(Bootstrap& bootstrap, const Published& mine) {
  rank_ = bootstrap.rank();
  table_ = bootstrap.gather(&mine, sizeof mine);
  all_ = table_.of<Published>();
}

void Directory::require_pairs() const {
  PortPair pair;
  for (Rank r = 0; r < size(); ++r)
    if (r != rank_ && !choose_pair(all_[rank_], all_[r], 0, &pair))
      fatal_setting(
          "rank %u on %s and rank %u on %s have no ports that reach each other: %s, and %s; name ports of "
          "one network by UPCR_IBV_PORTS%s",
          rank_, all_[rank_].host, r, all_[r].host, ports_of(all_[rank_]).c_str(), ports_of(all_[r]).c_str(),
          other_conduit());
}

PortPair Directory::pair_for(Rank peer) const {
  PortPair pair{0, 0};
  (void)choose_pair(all_[rank_], all_[peer], rank_ + peer, &pair);
  return pair;
}

std::string Directory::name_of(Rank peer) const {
  const Published& p = all_[peer];
  std::string all = "rank " + std::to_string(peer) + " on " + p.host;
  if (peer == rank_) return all;
  return all + " (" + text_of(p.ports[pair_for(peer).remote].address) + ")";
}

}  // namespace upcr::ibv
