// SPDX-License-Identifier: BSD-3-Clause
// By what connections are made (UPCR_IBV_CONNECT_BY): librdmacm, or datagrams. All processes of a job do it
// in one way: by librdmacm if all of them can, else by datagrams if all of them can. Pure functions; any
// thread.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "conduits/net/ibv/connector/published.hpp"
#include "conduits/net/ibv/device/connect_setting.hpp"
#include "conduits/net/ibv/device/ports.hpp"

namespace upcr::ibv {

// Bits of Published::ways.
inline constexpr std::uint8_t kByRdmacm = 1, kByDatagrams = 2;

// The ways of a process: what its user allows, and its ports can do. `has_ip`: all ports have IP addresses.
// `has_gid`: all have GIDs, and datagrams.
constexpr std::uint8_t ways_of(ConnectBy setting, bool has_ip, bool has_gid) noexcept {
  const bool rdmacm = has_ip && setting != ConnectBy::kDatagrams;
  const bool datagrams = has_gid && setting != ConnectBy::kRdmacm;
  return static_cast<std::uint8_t>((rdmacm ? kByRdmacm : 0) | (datagrams ? kByDatagrams : 0));
}

// Those of this process.
std::uint8_t ways_here(std::span<const Port> ports);

struct ConnectDecision {
  std::uint8_t way = 0;  // of the two bits
  std::string error;     // why there is none, with the cure; empty: there is one
};
ConnectDecision choose_way(std::span<const Published> all);

}  // namespace upcr::ibv
