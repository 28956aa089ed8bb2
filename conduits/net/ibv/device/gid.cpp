// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/device/gid.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace upcr::ibv {
namespace {

constexpr int kUnfit = 100;

in6_addr ip_of(const ibv_gid& gid) noexcept {
  in6_addr ip;
  std::memcpy(&ip, gid.raw, sizeof ip);
  return ip;
}

// The smaller is the better.
int rank_of(const ibv_gid_entry& entry, Kind kind) noexcept {
  if (kind == Kind::kInfiniBand) return entry.gid_type == IBV_GID_TYPE_IB ? 0 : kUnfit;
  if (kind != Kind::kRoce ||
      (entry.gid_type != IBV_GID_TYPE_ROCE_V2 && entry.gid_type != IBV_GID_TYPE_ROCE_V1))
    return kUnfit;
  const in6_addr ip = ip_of(entry.gid);
  const int scope = IN6_IS_ADDR_V4MAPPED(&ip) ? 0 : IN6_IS_ADDR_LINKLOCAL(&ip) ? 2 : 1;
  return scope + (entry.gid_type == IBV_GID_TYPE_ROCE_V2 ? 0 : 3);
}

}  // namespace

std::vector<ibv_gid_entry> gid_table(ibv_context* context) {
  constexpr std::size_t kMost = 1024;  // entries of all ports
  std::vector<ibv_gid_entry> table(kMost);
  const ssize_t n = ::ibv_query_gid_table(context, table.data(), table.size(), 0);
  table.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return table;
}

const ibv_gid_entry* choose_gid(std::span<const ibv_gid_entry> table, unsigned port, Kind kind) noexcept {
  const ibv_gid_entry* best = nullptr;
  int best_rank = kUnfit;
  for (const ibv_gid_entry& entry : table) {
    if (entry.port_num != port) continue;
    const int rank = rank_of(entry, kind);
    if (rank >= best_rank) continue;
    best = &entry;
    best_rank = rank;
  }
  return best;
}

sockaddr_storage address_of(const ibv_gid_entry& entry, Kind kind) noexcept {
  sockaddr_storage address{};
  const in6_addr ip = ip_of(entry.gid);
  if (kind == Kind::kRoce && IN6_IS_ADDR_V4MAPPED(&ip)) {
    auto& four = reinterpret_cast<sockaddr_in&>(address);
    four.sin_family = AF_INET;
    std::memcpy(&four.sin_addr, entry.gid.raw + 12, 4);
    return address;
  }
  auto& six = reinterpret_cast<sockaddr_in6&>(address);
  six.sin6_family = AF_INET6;
  six.sin6_addr = ip;
  if (kind == Kind::kRoce && IN6_IS_ADDR_LINKLOCAL(&ip)) six.sin6_scope_id = entry.ndev_ifindex;
  return address;
}

}  // namespace upcr::ibv
