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
  if (const auto rank = without([](const XrcTraits& t) { return (t.ways & kByDatagrams) != 0; }); !rank.empty())
    return rank + " cannot make connections by datagrams (iWARP, or UPCR_IBV_CONNECT_BY=rdmacm)";
  const auto fits = [sharers](const XrcTraits& t) { return t.sends >= sharers + kLeastSends; };
  if (const std::string rank = without(fits); !rank.empty())
    return std::to_string(sharers) + " processes of a host are too many for the send queue of " + rank;
  return "";
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
  return {sharers, "", !wants.empty()};
}

}  // namespace upcr::ibv
