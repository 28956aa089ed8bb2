// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/fabric/ports.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

#include "tests/ibv/emulated/fabric/channels.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"

namespace emulated {
namespace {

// The address of the link, from the GUID that attributes.cpp tells.
void set_link_gid(Port* port, unsigned device, unsigned number, std::uint32_t type) {
  ibv_gid_entry& entry = port->gid[port->gids];
  const unsigned char prefix[8] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0};
  std::memcpy(entry.gid.raw, prefix, sizeof prefix);
  // Each device of InfiniBand is in a subnet of its own.
  if (type == IBV_GID_TYPE_IB) entry.gid.raw[7] = static_cast<unsigned char>(device);
  const unsigned char guid[8] = {
      2, 0, 0, 0xff, 0xfe, 0, static_cast<unsigned char>(device), static_cast<unsigned char>(number)};
  std::memcpy(entry.gid.raw + 8, guid, sizeof guid);
  entry.gid_index = port->gids++;
  entry.port_num = number;
  entry.gid_type = type;
  entry.ndev_ifindex = 1;
}

// ::ffff:10.78.DEVICE.PORT
void set_ip_gid(Port* port, unsigned device, unsigned number, std::uint32_t type) {
  ibv_gid_entry& entry = port->gid[port->gids];
  const unsigned char address[6] = {0xff, 0xff, 10, 78, static_cast<unsigned char>(16 * device + number), 1};
  std::memcpy(entry.gid.raw + 10, address, sizeof address);
  entry.gid_index = port->gids++;
  entry.port_num = number;
  entry.gid_type = type;
  entry.ndev_ifindex = 1;
}

bool has_gid(const Port& port, const ibv_gid& gid) {
  return std::any_of(port.gid, port.gid + port.gids,
                     [&](auto& entry) { return std::memcmp(entry.gid.raw, gid.raw, sizeof gid.raw) == 0; });
}

}  // namespace

void make_ports(Fabric& fabric, unsigned device) {
  for (unsigned number = 1; number <= settings().ports; ++number) {
    Port& port = fabric.shared().ports[device][number - 1];
    if (port.used) continue;
    port.used = true;
    port.link_layer = settings().infiniband ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET;
    if (settings().infiniband) {
      port.lid = static_cast<std::uint16_t>(1 + device * kMaxPortsOfDevice + number);
      set_link_gid(&port, device, number, IBV_GID_TYPE_IB);
    } else {
      set_link_gid(&port, device, number, IBV_GID_TYPE_ROCE_V2);
      set_ip_gid(&port, device, number, IBV_GID_TYPE_ROCE_V2);
    }
  }
}

Port* find_port(Fabric& fabric, unsigned device, unsigned number) {
  if (number == 0 || number > kMaxPortsOfDevice) return nullptr;
  Port& port = fabric.shared().ports[device][number - 1];
  return port.used ? &port : nullptr;
}

bool set_port_down(Fabric& fabric, unsigned device, unsigned number, bool down) {
  Port* port = find_port(fabric, device, number);
  if (port == nullptr) return false;
  if (port->down == down) return true;
  port->down = down;
  fabric.shared().contexts.for_each([&](const Context& context) {
    if (context.device == device)
      tell_context(fabric, context.id, down ? IBV_EVENT_PORT_ERR : IBV_EVENT_PORT_ACTIVE, number);
  });
  return true;
}

const Port* reach(Fabric& fabric, const Port& own, const ibv_ah_attr& path) {
  if (own.down) return nullptr;
  for (auto& device : fabric.shared().ports)
    for (const Port& port : device) {
      if (!port.used || port.down || port.link_layer != own.link_layer) continue;
      if (path.is_global != 0 ? has_gid(port, path.grh.dgid) : path.dlid != 0 && path.dlid == port.lid)
        return &port;
    }
  return nullptr;
}

bool share_partition(std::uint16_t key, std::uint16_t other) {
  return (key & kPartition) == (other & kPartition) && ((key | other) & kFullMember) != 0;
}

}  // namespace emulated
