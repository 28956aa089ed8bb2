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

namespace {

// Whether two subnets are between them, and how far they are from their processes; less is better.
using Merit = std::tuple<bool, unsigned>;

// Whether one of the ports can reach the other, and how good that is.
bool reaches(const PublishedPort& a, const PublishedPort& b, Merit* merit) {
  if (a.kind != b.kind || a.address.family != b.address.family) return false;
  if (a.has(PublishedPort::kRoceVersion1) != b.has(PublishedPort::kRoceVersion1)) return false;
  const bool routed = !same_subnet(a.address, b.address);
  if (routed && is_link_local(a.address) != is_link_local(b.address)) return false;
  if (routed && a.needs_one_subnet()) return false;
  *merit = Merit{routed, static_cast<unsigned>(a.span) + b.span};
  return true;
}

}  // namespace

bool choose_pair(const Published& own, const Published& peer, unsigned turn, PortPair* pair) {
  Merit best{true, ~0U};
  unsigned equals = 0;
  PortPair pairs[kMaxPorts * kMaxPorts];
  for (unsigned i = 0; i < own.count; ++i)
    for (unsigned j = 0; j < peer.count; ++j) {
      Merit merit;
      if (!reaches(own.ports[i], peer.ports[j], &merit) || merit > best) continue;
      if (merit < best) equals = 0;
      best = merit;
      pairs[equals++] = {i, j};
    }
  if (equals == 0) return false;
  *pair = pairs[turn % equals];
  return true;
}

unsigned choose_rails(const Published& own, const Published& peer, PortPair first,
                      PortPair (&rails)[kMaxPorts]) {
  Merit of_first;
  const bool routed =
      reaches(own.ports[first.own], peer.ports[first.remote], &of_first) && std::get<bool>(of_first);
  unsigned used_own = 1U << first.own, used_remote = 1U << first.remote, count = 0;
  for (bool found = true; found;) {
    found = false;
    Merit best{routed, ~0U}, merit;
    for (unsigned i = 0; i < own.count; ++i)
      for (unsigned j = 0; j < peer.count; ++j) {
        if ((used_own >> i & 1U) != 0 || (used_remote >> j & 1U) != 0) continue;
        if (!reaches(own.ports[i], peer.ports[j], &merit) || merit >= best) continue;
        best = merit;
        rails[count] = {i, j};
        found = true;
      }
    if (!found) break;
    used_own |= 1U << rails[count].own;
    used_remote |= 1U << rails[count].remote;
    ++count;
  }
  return count;
}

}  // namespace upcr::ibv
