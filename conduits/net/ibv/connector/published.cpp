// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connector/published.hpp"

#include <tuple>

namespace upcr::ibv {

std::string ports_of(const Published& p) {
  std::string all;
  for (unsigned i = 0; i < p.count; ++i)
    all += (i == 0 ? "" : ", ") + std::string(name_of(p.ports[i].kind)) + " " + text_of(p.ports[i].address) +
           "/" + std::to_string(p.ports[i].address.prefix_bits);
  return all;
}

bool choose_pair(const Published& own, const Published& peer, unsigned turn, PortPair* pair) {
  using Merit = std::tuple<bool, unsigned>;
  Merit best{true, ~0U};
  unsigned equals = 0;
  PortPair pairs[kMaxPorts * kMaxPorts];
  for (unsigned i = 0; i < own.count; ++i)
    for (unsigned j = 0; j < peer.count; ++j) {
      const PublishedPort &a = own.ports[i], &b = peer.ports[j];
      if (a.kind != b.kind || a.address.family != b.address.family) continue;
      if (a.has(PublishedPort::kRoceVersion1) != b.has(PublishedPort::kRoceVersion1)) continue;
      const bool routed = !same_subnet(a.address, b.address);
      if (routed && is_link_local(a.address) != is_link_local(b.address)) continue;
      if (routed && a.needs_one_subnet()) continue;
      const Merit merit{routed, static_cast<unsigned>(a.span) + b.span};
      if (merit > best) continue;
      if (merit < best) equals = 0;
      best = merit;
      pairs[equals++] = {i, j};
    }
  if (equals == 0) return false;
  *pair = pairs[turn % equals];
  return true;
}

}  // namespace upcr::ibv
