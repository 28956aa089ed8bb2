// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/agreement.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "conduits/core/base/config/config.hpp"
#include "conduits/net/ibv/connector/connect_by.hpp"

namespace upcr::ibv {
namespace {

// The limits and settings of one process; travels as bytes.
struct Traits {
  std::uint64_t max_message = UINT32_MAX;
  bool words_by_message = false, shorts_by_message = false, atomics = true, iwarp = false, siw = false;

  void join(const Traits& other) {
    max_message = std::min(max_message, other.max_message);
    words_by_message |= other.words_by_message;
    shorts_by_message |= other.shorts_by_message;
    atomics &= other.atomics;
    iwarp |= other.iwarp;
    siw |= other.siw;
  }
};

bool words_by_message(const Limits& limits) {
  const char* choice = config_string("UPCR_IBV_WORDS");
  return std::strcmp(choice, "auto") == 0 ? limits.words_by_kernel_copy
                                          : std::strcmp(choice, "messages") == 0;
}

bool atomics_by_device(const Limits& limits) {
  const char* choice = config_string("UPCR_IBV_ATOMICS");
  if (!limits.atomics || std::strcmp(choice, "messages") == 0) return false;
  return limits.atomics_coherent || std::strcmp(choice, "device") == 0;
}

// The largest share of a peer for which this process's devices have queues. Credits in a shared receive queue
// go to the peers that talk. Without one each connection has receive buffers of its own, fewer in a large
// job.
unsigned credits_here(unsigned processes, std::span<Device* const> devices) {
  const auto requested = static_cast<unsigned>(config_int("UPCR_IBV_RECEIVES"));
  const unsigned of_own =
      config_is_set("UPCR_IBV_RECEIVES") ? requested : std::min(requested, credit_limit_for(processes));
  unsigned credits = requested;
  for (const Device* device : devices) {
    const Limits& limits = device->limits();
    if (!limits.srq) credits = std::min(credits, of_own);
    const auto fits = [&limits](unsigned n) {
      return receives_for(n) <= limits.max_completions / 2 &&
             receives_for(n) <= (limits.srq ? limits.max_receives : limits.max_send);
    };
    while (credits > kMinCredits && !fits(credits)) credits = std::max(kMinCredits, credits / 2);
  }
  return credits;
}

Traits traits_here(std::span<Device* const> devices) {
  Traits mine;
  for (const Device* device : devices) {
    const Limits& limits = device->limits();
    Traits t;
    t.max_message = limits.max_message;
    t.words_by_message = words_by_message(limits);
    t.shorts_by_message = t.words_by_message || limits.software;
    t.atomics = atomics_by_device(limits);
    t.iwarp = limits.iwarp;
    t.siw = limits.iwarp && limits.software;
    mine.join(t);
  }
  return mine;
}

// The depth of a send queue that every device of this process has. Need not be the same on all processes.
unsigned send_depth(std::span<Device* const> devices) {
  auto depth = static_cast<unsigned>(config_int("UPCR_IBV_SEND_DEPTH"));
  for (const Device* device : devices)
    depth = std::clamp(depth, 2u, device->limits().max_send - DeviceQueues::kOwnRequests);
  return depth;
}

// Equal for processes whose ports of InfiniBand are in the same subnets, in whatever order.
std::uint64_t sum_of_subnets(std::span<const Port> ports) {
  std::uint64_t sum = 0;
  for (const Port& port : ports) {
    if (port.kind != Kind::kInfiniBand || port.gid_index < 0) continue;
    std::uint64_t prefix;
    std::memcpy(&prefix, to_wire(port.gid.address, port.gid.prefix_bits).bytes, sizeof prefix);
    prefix = (prefix ^ prefix >> 32) * 0x9e3779b97f4a7c15;  // sums of different sets differ then
    sum += prefix ^ prefix >> 29;
  }
  return sum;
}

XrcTraits xrc_here(const Topology& topology, PortSet& set, unsigned connections) {
  const std::span<const Port> ports = set.ports();
  const std::span<Device* const> devices = set.devices();
  const char* const setting = config_string("UPCR_IBV_XRC");
  XrcTraits mine;
  mine.distant = topology.size - topology.host_size;
  mine.connections = connections;
  mine.host_size = topology.host_size;
  mine.sends = DeviceQueues::kMaxRoom;
  mine.setting = std::strcmp(setting, "yes") == 0  ? XrcSetting::kYes
                 : std::strcmp(setting, "no") == 0 ? XrcSetting::kNo
                                                   : XrcSetting::kAuto;
  mine.ways = ways_here(ports);
  mine.ports = static_cast<std::uint32_t>(ports.size());
  mine.queue_pairs = set.queue_pairs(topology);
  mine.subnets = sum_of_subnets(ports);
  mine.is_first = topology.rank == topology.host_first;
  mine.by_class =
      config_is_set("UPCR_IBV_TRAFFIC_CLASS") &&
      std::any_of(ports.begin(), ports.end(), [](const Port& p) { return p.kind == Kind::kInfiniBand; });
  mine.has_xrc = mine.shares = true;
  for (const Device* device : devices) {
    mine.sends = std::min(mine.sends, device->limits().max_send);
    mine.has_xrc = mine.has_xrc && device->limits().xrc;
    mine.shares = mine.shares && device->limits().srq;
  }
  return mine;
}

}  // namespace

Agreement agree(Bootstrap& bootstrap, const Topology& topology, PortSet& ports, unsigned connections) {
  const std::span<Device* const> devices = ports.devices();
  const unsigned peers = std::max(1u, topology.size - 1);
  Traits job = traits_here(devices);
  {
    const Table all = bootstrap.gather(&job, sizeof job);
    for (const Traits& t : all.of<Traits>()) job.join(t);
  }
  constexpr std::uint64_t kMaxRma = 1u << 30;
  Agreement agreed;
  {
    const XrcTraits mine = xrc_here(topology, ports, connections);
    const Table all = bootstrap.gather(&mine, sizeof mine);
    agreed.xrc = choose_xrc(all.of<XrcTraits>());
  }
  agreed.depths = {peers, credits_here(topology.size, devices), send_depth(devices), agreed.xrc.sharers};
  agreed.max_rma = static_cast<std::size_t>(std::min(job.max_message, kMaxRma));
  agreed.words_by_message = job.words_by_message;
  agreed.shorts_by_message = job.shorts_by_message;
  agreed.atomics_by_device = job.atomics;
  agreed.iwarp = job.iwarp;
  agreed.siw = job.siw;
  return agreed;
}

}  // namespace upcr::ibv
