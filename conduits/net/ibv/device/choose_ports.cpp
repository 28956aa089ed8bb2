// SPDX-License-Identifier: BSD-3-Clause
// Which ports a process uses.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <tuple>

#include "conduits/net/ibv/device/address.hpp"
#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {
namespace {

constexpr const char* kSyntax = "expected device:port with commas between, as mlx5_0:1,mlx5_1:1";

const FoundPort& port_of(const Found& found, const ChosenPort& p) {
  return found.devices[p.device].ports[p.port];
}

WireAddress address_of(const Found& found, const ChosenPort& p) {
  const FoundAddress& a = port_of(found, p).addresses.front();
  return to_wire(a.address, a.prefix_bits);
}

// One entry of UPCR_IBV_PORTS: "dev:port", or "dev" for its first usable port.
std::string add_settinged(const Found& found, std::string_view entry, Choice* choice) {
  const std::size_t colon = entry.rfind(':');
  const std::string name(entry.substr(0, colon));
  unsigned number = 0;
  if (colon != std::string_view::npos) {
    const char *first = entry.data() + colon + 1, *last = entry.data() + entry.size();
    const auto [end, status] = std::from_chars(first, last, number);
    if (status != std::errc() || end != last || number == 0)
      return "'" + std::string(entry) + "' names no port: " + kSyntax;
  }
  if (name.empty()) return std::string("an entry is empty: ") + kSyntax;
  for (unsigned d = 0; d < found.devices.size(); ++d) {
    const FoundDevice& device = found.devices[d];
    if (device.name != name) continue;
    std::string why = device.error.empty() ? "it has no ports" : device.error;
    for (unsigned p = 0; p < device.ports.size(); ++p) {
      if (number != 0 && device.ports[p].number != number) continue;
      why = unusable_reason(device, device.ports[p]);
      if (!why.empty()) continue;
      const ChosenPort chosen{d, p};
      if (std::find(choice->ports.begin(), choice->ports.end(), chosen) != choice->ports.end())
        return "'" + std::string(entry) + "' is named twice";
      choice->ports.push_back(chosen);
      return "";
    }
    const bool there = number == 0 || std::any_of(device.ports.begin(), device.ports.end(),
                                                  [&](const FoundPort& p) { return p.number == number; });
    if (!there && device.error.empty())
      return "device " + name + " has no port " + std::to_string(number) + "; its ports are 1 to " +
             std::to_string(device.ports.size());
    return std::string(entry) + " cannot be used: " + why;
  }
  return "there is no device '" + name + "' on " + found.host;
}

Choice choose_named(const Found& found, std::string_view setting, unsigned most) {
  Choice choice;
  const std::string start = "UPCR_IBV_PORTS=" + std::string(setting) + ": ";
  for (std::string_view rest = setting;;) {
    const std::size_t comma = rest.find(',');
    const std::string wrong = add_settinged(found, rest.substr(0, comma), &choice);
    if (!wrong.empty()) return {{}, start + wrong};
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (choice.ports.size() > most)
    return {{},
            start + "names " + std::to_string(choice.ports.size()) + " ports; a process uses at most " +
                std::to_string(most)};
  const Kind kind = port_of(found, choice.ports.front()).kind;
  for (const ChosenPort& p : choice.ports)
    if (port_of(found, p).kind != kind)
      return {{},
              start + "names ports of " + name_of(kind) + " and of " + name_of(port_of(found, p).kind) +
                  ", which do not reach each other; name ports of one kind"};
  return choice;
}

// The smaller is the better; equals are distributed over the processes of the host.
auto merit(const Found& found, const ChosenPort& p) {
  const FoundDevice& device = found.devices[p.device];
  const FoundPort& port = port_of(found, p);
  return std::tuple(device.software, port.by_gid, port.kind, device.span, ~port.gigabits);
}

// Software devices come last, whatever they emulate, and ports without an IP address after those with one,
// which librdmacm connects; the others have to be of the kind that peers use, and one way to make connections
// has to do for all.
auto family(const Found& found, const ChosenPort& p) {
  const FoundPort& port = port_of(found, p);
  return std::tuple(found.devices[p.device].software, port.by_gid, port.kind);
}

Choice choose_nearest(const Found& found, unsigned turn, unsigned most) {
  std::vector<ChosenPort> good;
  for (unsigned d = 0; d < found.devices.size(); ++d)
    for (unsigned p = 0; p < found.devices[d].ports.size(); ++p)
      if (unusable_reason(found.devices[d], found.devices[d].ports[p]).empty()) good.push_back({d, p});
  Choice choice;
  if (good.empty()) {
    choice.error =
        found.devices.empty()
            ? "there is no RDMA device on " + found.host +
                  ": its driver is not loaded, or this is a container without its devices (a device in "
                  "software: rdma link add rxe0 type rxe netdev eth0)"
            : "no RDMA port of " + found.host + " can be used";
    return choice;
  }
  std::stable_sort(good.begin(), good.end(),
                   [&](const auto& a, const auto& b) { return merit(found, a) < merit(found, b); });
  // Of the best kind the nearest port in every subnet, because a peer may be in one of them only.
  const auto best_kind = family(found, good.front());
  std::erase_if(good, [&](const ChosenPort& p) { return family(found, p) != best_kind; });
  while (!good.empty() && choice.ports.size() < most) {
    const ChosenPort best = good.front();
    std::vector<ChosenPort> equals;
    for (const ChosenPort& p : good)
      if (merit(found, p) == merit(found, best) && same_subnet(address_of(found, p), address_of(found, best)))
        equals.push_back(p);
    const ChosenPort chosen = equals[turn % equals.size()];
    std::erase_if(good, [&](const ChosenPort& p) {
      return p == chosen || same_subnet(address_of(found, p), address_of(found, chosen));
    });
    choice.ports.push_back(chosen);
  }
  return choice;
}

}  // namespace

void apply_connect_setting(Found& found, ConnectBy setting) {
  if (setting == ConnectBy::kRdmacm) return;
  bool any = false;
  for (FoundDevice& device : found.devices)
    for (FoundPort& port : device.ports) {
      if (setting == ConnectBy::kAuto && !port.addresses.empty()) continue;
      if (port.gid_index >= 0) {
        port.addresses = {port.gid};
        port.by_gid = any = true;
      } else if (setting == ConnectBy::kDatagrams) {
        port.obstacle = port.kind == Kind::kIwarp
                            ? "iWARP has no datagrams, by which UPCR_IBV_CONNECT_BY=ud makes connections"
                            : "it has no GID, which UPCR_IBV_CONNECT_BY=ud needs";
      }
    }
  if (any) found.error.clear();  // it is librdmacm's
}

std::string keep_partition(Found& found, const char* setting) {
  constexpr unsigned kPartition = 0x7fff;
  char* end = nullptr;
  const unsigned long key = std::strtoul(setting, &end, 0);
  if (end == setting || *end != '\0' || key > 0xffff || (key & kPartition) == 0)
    return std::string("UPCR_IBV_PKEY=") + setting + ": expected a partition key, as 0x8001";
  for (FoundDevice& device : found.devices)
    for (FoundPort& port : device.ports) {
      if (port.kind != Kind::kInfiniBand || port.addresses.empty() || port.by_gid) continue;
      std::erase_if(port.addresses,
                    [key](const FoundAddress& a) { return ((a.pkey ^ key) & kPartition) != 0; });
      if (port.addresses.empty()) port.no_address_in = static_cast<std::uint16_t>(key);
    }
  return "";
}

Choice choose_ports(const Found& found, const char* setting, unsigned turn, unsigned most) {
  if (!found.error.empty()) return {{}, found.error};
  return setting != nullptr ? choose_named(found, setting, most) : choose_nearest(found, turn, most);
}

}  // namespace upcr::ibv
