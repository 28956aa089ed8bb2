// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connector/connect_by.hpp"

#include <algorithm>

namespace upcr::ibv {
namespace {

// "rank 3 on node7": the first that cannot do it in this way; empty: all can.
std::string first_without(std::span<const Published> all, std::uint8_t way) {
  const auto at =
      std::find_if(all.begin(), all.end(), [way](const Published& p) { return (p.ways & way) == 0; });
  if (at == all.end()) return "";
  return "rank " + std::to_string(at - all.begin()) + " on " + at->host + " (" + ports_of(*at) + ")";
}

}  // namespace

std::uint8_t ways_here(std::span<const Port> ports) {
  const auto all = [ports](auto&& has) { return std::all_of(ports.begin(), ports.end(), has); };
  return ways_of(connect_setting(), all([](const Port& p) { return !p.by_gid; }),
                 all([](const Port& p) { return p.gid_index >= 0; }));
}

ConnectDecision choose_way(std::span<const Published> all) {
  const std::string no_rdmacm = first_without(all, kByRdmacm);
  if (no_rdmacm.empty()) return {kByRdmacm, ""};
  const std::string no_datagrams = first_without(all, kByDatagrams);
  if (no_datagrams.empty()) return {kByDatagrams, ""};
  return {
      0,
      "the processes cannot make connections in one way: " + no_rdmacm +
          " cannot by librdmacm (a port without an IP address, or UPCR_IBV_CONNECT_BY=ud), and " +
          no_datagrams +
          " cannot by datagrams (iWARP, or UPCR_IBV_CONNECT_BY=rdmacm); set UPCR_IBV_CONNECT_BY to the same value "
          "everywhere, or name ports of one kind by UPCR_IBV_PORTS"};
}

}  // namespace upcr::ibv
