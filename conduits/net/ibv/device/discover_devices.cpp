// SPDX-License-Identifier: BSD-3-Clause
// Finds devices, ports and their addresses. The kernel tells which address belongs to which port, when an
// identifier of librdmacm is bound to it: that is right for IP over InfiniBand, RoCE (bonds and VLANs too)
// and iWARP, each of which keeps its netdev elsewhere.
#include <hwloc.h>
#include <hwloc/linux.h>
#include <ifaddrs.h>
#include <infiniband/verbs.h>
#include <net/if.h>
#include <rdma/rdma_cma.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "conduits/net/ibv/device/address.hpp"
#include "conduits/net/ibv/device/found.hpp"
#include "conduits/net/ibv/device/gid.hpp"
#include "conduits/net/ibv/device/sysfs.hpp"

namespace upcr::ibv {
namespace {

namespace fs = std::filesystem;

Kind kind_of(const ibv_device& device, const ibv_port_attr& port) {
  if (device.transport_type == IBV_TRANSPORT_IWARP) return Kind::kIwarp;
  if (device.transport_type != IBV_TRANSPORT_IB) return Kind::kOther;
  return port.link_layer == IBV_LINK_LAYER_ETHERNET ? Kind::kRoce : Kind::kInfiniBand;
}

PortState state_of(ibv_port_state state) {
  switch (state) {
    case IBV_PORT_DOWN:
      return PortState::kDown;
    case IBV_PORT_INIT:
      return PortState::kInit;
    case IBV_PORT_ARMED:
      return PortState::kArmed;
    case IBV_PORT_ACTIVE:
      return PortState::kActive;
    case IBV_PORT_ACTIVE_DEFER:
      return PortState::kActiveDefer;
    default:
      return PortState::kUnknown;
  }
}

std::string port_path(const std::string& device, unsigned port) {
  return "/sys/class/infiniband/" + device + "/ports/" + std::to_string(port) + "/";
}

std::string open_error(const ibv_device& device, int error) {
  const std::string node = std::string("/dev/infiniband/") + device.dev_name;
  const bool barred = ::access(node.c_str(), R_OK | W_OK) != 0 && errno == EACCES;
  if (barred || error == EACCES || error == EPERM)  // libibverbs may say that there is no such file
    return "no permission to open " + node + ": chmod a+rw " + node + ", or join the group that may";
  if (error == ENOENT)
    return node + " does not exist: the devices of /dev/infiniband are not in this container";
  return "cannot open " + node + ": " + std::strerror(error);
}

void find_ports(ibv_context* context, FoundDevice* found) {
  ibv_device_attr attributes{};
  if (::ibv_query_device(context, &attributes) != 0) return;
  found->software = is_software(found->name, attributes);
  const std::vector<ibv_gid_entry> gids = gid_table(context);
  for (unsigned n = 1; n <= attributes.phys_port_cnt; ++n) {
    ibv_port_attr port{};
    if (::ibv_query_port(context, static_cast<std::uint8_t>(n), &port) != 0) continue;
    FoundPort& to = found->ports.emplace_back();
    to.number = static_cast<std::uint8_t>(n);
    to.state = state_of(port.state);
    to.kind = kind_of(*context->device, port);
    to.mtu = 128U << port.active_mtu;
    const std::string path = port_path(found->name, n);
    to.gigabits = static_cast<unsigned>(std::strtoul(read_line(path + "rate").c_str(), nullptr, 10));
    to.netdev = read_line(path + "gid_attrs/ndevs/0");
    if (const ibv_gid_entry* entry = choose_gid(gids, n, to.kind); entry != nullptr) {
      to.gid_index = static_cast<int>(entry->gid_index);
      to.gid = {address_of(*entry, to.kind), kGidPrefixBits, 0};
    }
  }
}

void find_devices(Found* found) {
  // Before any device is opened. Kernels that copy pinned pages for a child of fork() do not need this; on
  // others it keeps registered memory and the library's own queues from children. Not where it is not needed:
  // it would take registered memory away from the child all the same.
  if (::ibv_is_fork_initialized() != IBV_FORK_UNNEEDED) (void)::ibv_fork_init();
  int count = 0;
  ibv_device** list = ::ibv_get_device_list(&count);
  for (int i = 0; list != nullptr && i < count; ++i) {
    FoundDevice& device = found->devices.emplace_back();
    device.name = ::ibv_get_device_name(list[i]);
    ibv_context* context = ::ibv_open_device(list[i]);
    if (context == nullptr) {
      device.error = open_error(*list[i], errno);
      continue;
    }
    find_ports(context, &device);
    ::ibv_close_device(context);
  }
  if (list != nullptr) ::ibv_free_device_list(list);
  // Devices that the kernel has and libibverbs does not list.
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/sys/class/infiniband", ignored)) {
    const std::string name = entry.path().filename();
    if (std::any_of(found->devices.begin(), found->devices.end(), [&](auto& d) { return d.name == name; }))
      continue;
    FoundDevice& device = found->devices.emplace_back();
    device.name = name;
    device.error =
        "the kernel has it, libibverbs has not: modprobe ib_uverbs, or install its provider (package "
        "ibverbs-providers)";
  }
}

std::uint8_t prefix_of(const sockaddr* mask) {
  if (mask == nullptr) return 0;
  const bool four = mask->sa_family == AF_INET;
  const auto* bytes =
      four ? reinterpret_cast<const std::uint8_t*>(&reinterpret_cast<const sockaddr_in*>(mask)->sin_addr)
           : reinterpret_cast<const sockaddr_in6*>(mask)->sin6_addr.s6_addr;
  unsigned bits = 0;
  for (unsigned i = 0; i < (four ? 4U : 16U); ++i) bits += static_cast<unsigned>(std::popcount(bytes[i]));
  return static_cast<std::uint8_t>(bits);
}

// A GID of RoCE that is an address of the interface has its prefix.
void set_gid_prefixes(const FoundAddress& address, Found* found) {
  const WireAddress wire = to_wire(address.address, 128);
  for (FoundDevice& device : found->devices)
    for (FoundPort& port : device.ports)
      if (port.kind == Kind::kRoce && same_subnet(wire, to_wire(port.gid.address, 0)) && !is_link_local(wire))
        port.gid.prefix_bits = address.prefix_bits;
}

// The port to which librdmacm binds this address.
FoundPort* port_of(rdma_event_channel* channel, sockaddr* address, Found* found) {
  rdma_cm_id* id = nullptr;
  if (::rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP) != 0) return nullptr;
  FoundPort* result = nullptr;
  if (::rdma_bind_addr(id, address) == 0 && id->verbs != nullptr) {
    const std::string name = ::ibv_get_device_name(id->verbs->device);
    for (FoundDevice& device : found->devices)
      for (FoundPort& port : device.ports)
        if (device.name == name && port.number == id->port_num) result = &port;
  }
  ::rdma_destroy_id(id);
  return result;
}

// IPv4 before IPv6 before link-local.
int address_rank(const FoundAddress& a) {
  if (a.address.ss_family == AF_INET) return 0;
  return is_link_local(to_wire(a.address, 0)) ? 2 : 1;
}

// IPoIB's interfaces say their partition.
std::uint16_t pkey_of(const std::string& netdev) {
  return static_cast<std::uint16_t>(
      std::strtoul(read_line("/sys/class/net/" + netdev + "/pkey").c_str(), nullptr, 0));
}

// `channel`: null if there is no librdmacm.
void find_addresses(rdma_event_channel* channel, Found* found) {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return;
  for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || (i->ifa_addr->sa_family != AF_INET && i->ifa_addr->sa_family != AF_INET6))
      continue;
    if ((i->ifa_flags & IFF_LOOPBACK) != 0 || (i->ifa_flags & IFF_UP) == 0) continue;
    FoundAddress address;
    std::memcpy(&address.address, i->ifa_addr,
                i->ifa_addr->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    address.prefix_bits = prefix_of(i->ifa_netmask);
    set_gid_prefixes(address, found);
    FoundPort* port = channel != nullptr ? port_of(channel, i->ifa_addr, found) : nullptr;
    if (port == nullptr) continue;
    if (port->netdev.empty()) port->netdev = i->ifa_name;
    if (port->kind == Kind::kInfiniBand) address.pkey = pkey_of(i->ifa_name);
    port->addresses.push_back(address);
  }
  ::freeifaddrs(list);
  for (FoundDevice& device : found->devices)
    for (FoundPort& port : device.ports)
      std::stable_sort(port.addresses.begin(), port.addresses.end(),
                       [](auto& a, auto& b) { return address_rank(a) < address_rank(b); });
}

std::string librdmacm_error(int error) {
  const std::string node = "/dev/infiniband/rdma_cm";
  const bool barred = ::access(node.c_str(), R_OK | W_OK) != 0 && errno == EACCES;
  if (barred || error == EACCES || error == EPERM)  // librdmacm may say that there is no such device
    return "no permission to open " + node + ", which makes connections: chmod a+rw " + node +
           ", or join the group that may";
  return "cannot open " + node + ", which makes connections (" + std::strerror(error) +
         "): modprobe rdma_ucm; in a container: give it all of /dev/infiniband";
}

// Fills in FoundDevice::span. Loading the topology of the host takes time, so only if there is a choice.
void measure_distances(Found* found) {
  if (found->devices.size() < 2) return;
  hwloc_topology_t topology;
  if (::hwloc_topology_init(&topology) != 0) return;
  if (::hwloc_topology_load(topology) == 0) {
    hwloc_bitmap_t here = ::hwloc_bitmap_alloc(), both = ::hwloc_bitmap_alloc();
    if (::hwloc_get_cpubind(topology, here, HWLOC_CPUBIND_PROCESS) != 0)
      ::hwloc_bitmap_copy(here, ::hwloc_topology_get_complete_cpuset(topology));
    for (FoundDevice& device : found->devices) {
      const std::string path = "/sys/class/infiniband/" + device.name + "/device/local_cpus";
      if (::hwloc_linux_read_path_as_cpumask(path.c_str(), both) != 0 || ::hwloc_bitmap_iszero(both))
        ::hwloc_bitmap_copy(both, ::hwloc_topology_get_complete_cpuset(topology));
      ::hwloc_bitmap_or(both, both, here);
      hwloc_obj_t part = ::hwloc_get_obj_covering_cpuset(topology, both);
      device.span = static_cast<unsigned>(::hwloc_bitmap_weight(
          part != nullptr ? part->cpuset : ::hwloc_topology_get_complete_cpuset(topology)));
    }
    ::hwloc_bitmap_free(both);
    ::hwloc_bitmap_free(here);
  }
  ::hwloc_topology_destroy(topology);
}

}  // namespace

Found discover_devices() {
  Found found;
  char host[256] = "this host";
  ::gethostname(host, sizeof host - 1);
  found.host = host;
  find_devices(&found);
  if (found.devices.empty()) return found;
  rdma_event_channel* channel = ::rdma_create_event_channel();
  if (channel == nullptr) found.error = librdmacm_error(errno);
  find_addresses(channel, &found);
  if (channel != nullptr) ::rdma_destroy_event_channel(channel);
  apply_connect_setting(found, connect_setting());
  measure_distances(&found);
  return found;
}

}  // namespace upcr::ibv
