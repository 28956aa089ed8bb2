// SPDX-License-Identifier: BSD-3-Clause
// Descriptions of the devices and ports that were found, for messages.
#include "conduits/net/ibv/device/found.hpp"

#include <algorithm>
#include <cstdio>

#include "conduits/net/ibv/device/address.hpp"

namespace upcr::ibv {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kInfiniBand:
      return "InfiniBand";
    case Kind::kRoce:
      return "RoCE";
    case Kind::kIwarp:
      return "iWARP";
    case Kind::kOther:
      break;
  }
  return "unknown transport";
}

const char* name_of(PortState state) {
  switch (state) {
    case PortState::kDown:
      return "down";
    case PortState::kInit:
      return "initializing";
    case PortState::kArmed:
      return "armed";
    case PortState::kActive:
      return "active";
    case PortState::kActiveDefer:
      return "active, deferred";
    case PortState::kUnknown:
      break;
  }
  return "state unknown";
}

std::string unusable_reason(const FoundDevice& device, const FoundPort& port) {
  if (!device.error.empty()) return device.error;
  const std::string link = port.netdev.empty() ? "NETDEV (rdma link tells which)" : port.netdev;
  if (port.kind == Kind::kOther) return "its transport has no reliable connections";
  if (port.obstacle != nullptr) return port.obstacle;
  if (port.state == PortState::kInit || port.state == PortState::kArmed)
    return "the fabric's subnet manager has not activated it";
  if (port.state != PortState::kActive)
    return port.kind == Kind::kInfiniBand ? "no link: look at the cable and the switch (ibstat)"
                                          : "no link: ip link set " + link + " up, or look at the cable";
  if (port.no_address_in != 0) {
    char text[160];
    std::snprintf(
        text, sizeof text,
        "no address in partition 0x%04x (UPCR_IBV_PKEY): ip link add link %s name %s.%04x type ipoib pkey "
        "0x%04x, with an address",
        port.no_address_in, port.netdev.c_str(), port.netdev.c_str(), port.no_address_in, port.no_address_in);
    return text;
  }
  if (port.addresses.empty())
    return port.kind == Kind::kInfiniBand
               ? "no address: connections are made by IP over InfiniBand "
                 "(modprobe ib_ipoib, ip address add ... dev " +
                     (port.netdev.empty() ? "ib0" : port.netdev) + "); UPCR_IBV_CONNECT_BY=ud needs none"
               : "no IP address: ip address add ... dev " + link;
  return "";
}

std::string list_of(const Found& found) {
  std::string all;
  for (const FoundDevice& device : found.devices) {
    if (device.ports.empty()) {
      all += "\n  " + device.name;
      all += ": " + (device.error.empty() ? std::string("no ports") : device.error);
    }
    for (const FoundPort& port : device.ports) {
      all += "\n  " + device.name + ":" + std::to_string(port.number) + " " + name_of(port.kind);
      if (device.software) all += " in software";
      all += std::string(", ") + name_of(port.state);
      if (port.gigabits != 0) all += ", " + std::to_string(port.gigabits) + " Gbit/s";
      if (!port.netdev.empty()) all += ", " + port.netdev;
      for (const FoundAddress& address : port.addresses) all += ", " + text_of(address.address);
      // Without librdmacm addresses are not known.
      const std::string why = found.error.empty() ? unusable_reason(device, port) : device.error;
      if (!why.empty()) all += ": " + why;
    }
  }
  return all;
}

}  // namespace upcr::ibv
