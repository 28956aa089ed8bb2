// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/verbs/port.hpp"

#include <ifaddrs.h>
#include <infiniband/verbs.h>
#include <net/if.h>
#include <rdma/rdma_cma.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace perf {
namespace {

// The device that an address belongs to; empty: none, or its port is not active.
std::string device_of(const sockaddr_in& address) {
  rdma_event_channel* channel = rdma_create_event_channel();
  if (channel == nullptr) return {};
  rdma_cm_id* id = nullptr;
  std::string device;
  if (rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP) == 0) {
    sockaddr_in any_port = address;
    any_port.sin_port = 0;
    ibv_port_attr port{};
    if (rdma_bind_addr(id, reinterpret_cast<sockaddr*>(&any_port)) == 0 && id->verbs != nullptr &&
        ibv_query_port(id->verbs, id->port_num, &port) == 0 && port.state == IBV_PORT_ACTIVE)
      device = ibv_get_device_name(id->verbs->device);
    rdma_destroy_id(id);
  }
  rdma_destroy_event_channel(channel);
  return device;
}

std::string requested_device() {
  const char* ports = std::getenv("UPCR_IBV_PORTS");
  return ports == nullptr ? std::string() : std::string(ports, std::strcspn(ports, ":,"));
}

bool any_device() {
  int count = 0;
  ibv_device** list = ibv_get_device_list(&count);
  if (list != nullptr) ibv_free_device_list(list);
  return count > 0;
}

}  // namespace

VerbsPort find_verbs_port() {
  VerbsPort port;
  if (!any_device()) {
    port.reason = "no RDMA device here";
    return port;
  }
  const std::string requested = requested_device();
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) {
    port.reason = std::string("no addresses: ") + std::strerror(errno);
    return port;
  }
  for (const ifaddrs* i = all; i != nullptr && port.device.empty(); i = i->ifa_next) {
    if (i->ifa_addr == nullptr || i->ifa_addr->sa_family != AF_INET || (i->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    std::memcpy(&port.address, i->ifa_addr, sizeof port.address);
    const std::string device = device_of(port.address);
    if (requested.empty() || device == requested) port.device = device;
  }
  freeifaddrs(all);
  if (port.device.empty())
    port.reason = "no active port with an IPv4 address" + (requested.empty() ? "" : " on " + requested);
  return port;
}

}  // namespace perf
