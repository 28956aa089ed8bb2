// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/ibv/directory.hpp"

#include <algorithm>
#include <tuple>

#include "conduits/base/report.hpp"

namespace upcr::ibv {
namespace {

std::string ports_of(const Published& p) {
  std::string all;
  for (unsigned i = 0; i < p.count; ++i)
    all += (i == 0 ? "" : ", ") + std::string(name_of(p.ports[i].kind)) + " " + text_of(p.ports[i].address) +
           "/" + std::to_string(p.ports[i].address.prefix_bits);
  return all;
}

}  // namespace

bool choose_pair(const Published& own, const Published& peer, unsigned turn, PortPair* pair) {
  using Merit = std::tuple<bool, unsigned>;
  Merit best{true, ~0U};
  unsigned equals = 0;
  PortPair pairs[kMaxPorts * kMaxPorts];
  for (unsigned i = 0; i < own.count; ++i)
    for (unsigned j = 0; j < peer.count; ++j) {
      const PublishedPort &a = own.ports[i], &b = peer.ports[j];
      if (a.kind != b.kind || a.address.family != b.address.family) continue;
      const bool apart = !same_subnet(a.address, b.address);
      if (apart && is_link_local(a.address) != is_link_local(b.address)) continue;
      const Merit merit{apart, static_cast<unsigned>(a.span) + b.span};
      if (merit > best) continue;
      if (merit < best) equals = 0;
      best = merit;
      pairs[equals++] = {i, j};
    }
  if (equals == 0) return false;
  *pair = pairs[turn % equals];
  return true;
}

void Directory::exchange(Bootstrap& bootstrap, Published mine) {
  rank_ = bootstrap.rank();
  all_.resize(bootstrap.size());
  bootstrap.allgather(&mine, sizeof mine, all_.data());
  PortPair pair;
  for (Rank r = 0; r < size(); ++r)
    if (r != rank_ && !choose_pair(all_[rank_], all_[r], 0, &pair))
      fatal(
          "rank %u on %s and rank %u on %s have no ports that reach each other: %s, and %s; name ports of "
          "one network "
          "by UPCR_IBV_PORTS",
          rank_, all_[rank_].host, r, all_[r].host, ports_of(all_[rank_]).c_str(), ports_of(all_[r]).c_str());
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
