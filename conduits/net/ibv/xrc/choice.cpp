// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/xrc/choice.hpp"

#include <algorithm>

#include "conduits/net/ibv/connector/connect_by.hpp"

namespace upcr::ibv {
namespace {

// Sends in progress beside the first packet to each process of a host.
constexpr std::uint32_t kLeastSends = 64;

template <typename Test>
std::string first_rank(std::span<const XrcTraits> all, Test&& test) {
  const auto at = std::find_if(all.begin(), all.end(), test);
  return at == all.end() ? "" : "rank " + std::to_string(at - all.begin());
}

// Why it cannot be used; empty: it can.
std::string obstacle(std::span<const XrcTraits> all, std::uint32_t sharers) {
  const auto without = [all](auto&& has) {
    return first_rank(all, [&](const XrcTraits& t) { return !has(t); });
  };
  if (const std::string rank = without([](const XrcTraits& t) { return t.has_xrc; }); !rank.empty())
    return rank + " has a device without XRC";
  if (const std::string rank = without([](const XrcTraits& t) { return t.shares; }); !rank.empty())
    return rank + " uses no shared receive queue (UPCR_IBV_SRQ=no, or the device has none)";
  if (const auto rank = without([](const XrcTraits& t) { return (t.ways & kByDatagrams) != 0; });
      !rank.empty())
    return rank + " cannot make connections by datagrams (iWARP, or UPCR_IBV_CONNECT_BY=rdmacm)";
  const auto fits = [sharers](const XrcTraits& t) { return t.sends >= sharers + kLeastSends; };
  if (const std::string rank = without(fits); !rank.empty())
    return std::to_string(sharers) + " processes of a host are too many for the send queue of " + rank;
  return "";
}

// Why it is not used where nobody has asked for it, although it can be: it would take something away from a
// job that has it without.
std::string drawback(std::span<const XrcTraits> all, std::uint32_t sharers) {
  const auto first = [all](auto&& is) { return first_rank(all, is); };
  if (first([](const XrcTraits& t) { return (t.ways & kByRdmacm) == 0; }).empty()) {
    if (const std::string rank = first([](const XrcTraits& t) { return t.by_class; }); !rank.empty())
      return rank +
             " has UPCR_IBV_TRAFFIC_CLASS, by which librdmacm asks the subnet manager for a service level";
    const auto is_elsewhere = [&](const XrcTraits& t) { return t.subnets != all.front().subnets; };
    if (const std::string rank = first(is_elsewhere); !rank.empty())
      return rank + " is in other subnets than rank 0, which datagrams do not join";
  }
  // Queue pairs of XRC are not evicted, so there must be enough of them: those of a process, and as many that
  // receive for it. Ranks that are dealt to hosts one by one are hosts of their own.
  const auto hosts = static_cast<std::uint32_t>(
      std::count_if(all.begin(), all.end(), [](const XrcTraits& t) { return t.is_first; }));
  const auto initiators = [=](const XrcTraits& t) {
    return std::uint64_t{hosts - 1} * std::min(sharers, t.ports * t.ports);
  };
  const auto lacks = [&](const XrcTraits& t) {
    return initiators(t) > t.connections || 2 * initiators(t) > t.queue_pairs;
  };
  const auto at = std::find_if(all.begin(), all.end(), lacks);
  if (at == all.end()) return "";
  return "rank " + std::to_string(at - all.begin()) + " may need " + std::to_string(initiators(*at)) +
         " queue pairs to hosts, which are never closed, and may have " + std::to_string(at->connections) +
         " of " + std::to_string(at->queue_pairs);
}

}  // namespace

XrcDecision choose_xrc(std::span<const XrcTraits> all) {
  const std::string wants = first_rank(all, [](const XrcTraits& t) { return t.setting == XrcSetting::kYes; });
  const std::string refuses =
      first_rank(all, [](const XrcTraits& t) { return t.setting == XrcSetting::kNo; });
  if (!wants.empty() && !refuses.empty())
    return {0, refuses + " has UPCR_IBV_XRC=no and " + wants + " yes; set it to the same value everywhere",
            true};
  if (!refuses.empty()) return {0, "UPCR_IBV_XRC=no", false};
  const auto exceeds = [](const XrcTraits& t) { return t.distant > t.connections; };
  if (wants.empty() && std::none_of(all.begin(), all.end(), exceeds))
    return {0, "each process may have a queue pair for each process of other hosts", false};
  std::uint32_t sharers = 1;
  for (const XrcTraits& t : all) sharers = std::max(sharers, t.host_size);
  if (const std::string why_not = obstacle(all, sharers); !why_not.empty())
    return {0, why_not, !wants.empty()};
  if (wants.empty())
    if (const std::string why_not = drawback(all, sharers); !why_not.empty()) return {0, why_not, false};
  return {sharers, "", !wants.empty()};
}

}  // namespace upcr::ibv
