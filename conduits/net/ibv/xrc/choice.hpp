// SPDX-License-Identifier: BSD-3-Clause
// Whether a job uses XRC (UPCR_IBV_XRC): one queue pair for all processes of another host
// (host_connections.hpp). All processes do, or none. Pure functions; any thread.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace upcr::ibv {

enum class XrcSetting : std::uint8_t { kAuto, kYes, kNo };

// What a process says of itself; travels as bytes.
struct XrcTraits {
  std::uint32_t distant = 0;      // processes on other hosts
  std::uint32_t connections = 0;  // that it may have with a queue pair for each (UPCR_IBV_CONNECTIONS)
  std::uint32_t host_size = 1;    // processes of its host
  std::uint32_t queue_pairs = 0;  // of its devices, its share of them
  std::uint32_t ports = 1;        // an initiator serves one of this process and one of the peers
  std::uint32_t sends = 0;        // that an initiator's queue may hold
  std::uint64_t subnets = 0;      // of InfiniBand, in which its ports are: different ones have different sums
  XrcSetting setting = XrcSetting::kAuto;
  std::uint8_t ways = 0;  // Published::ways
  bool has_xrc = false;   // all of its devices
  bool shares = false;    // has shared receive queues, and uses them
  bool is_first = false;  // of its host
  bool by_class = false;  // the subnet manager is to choose paths by UPCR_IBV_TRAFFIC_CLASS
};

struct XrcDecision {
  std::uint32_t sharers = 0;  // of a queue pair, at the most: the processes of the largest host; 0: no XRC
  std::string why_not;        // empty: XRC is used
  bool is_wanted = false;     // by the user: that it cannot be used is an error
};
XrcDecision choose_xrc(std::span<const XrcTraits> all);

}  // namespace upcr::ibv
