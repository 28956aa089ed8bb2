// SPDX-License-Identifier: BSD-3-Clause
// The ports that this process uses. Main thread, at attach.
#pragma once
#include <rdma/rdma_cma.h>
#include <sys/socket.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conduits/core/model/topology.hpp"
#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {

struct Port {
  Device* device = nullptr;
  std::uint8_t number = 1;  // of the device, from 1
  Kind kind = Kind::kOther;
  std::uint8_t prefix_bits = 0;  // of the address: ports with a common prefix reach each other
  sockaddr_storage address{};  // IPv4 or IPv6, to which librdmacm is bound; its port number is 0. Or the GID
  bool by_gid = false;         // `address` is the GID: librdmacm cannot be used, or is not to be
  FoundAddress gid;            // for connections without librdmacm
  int gid_index = -1;          // in the port's table; -1: it has none
  unsigned span = 0;           // FoundDevice::span: smaller is nearer
  std::string name;            // "mlx5_0:1", for messages
};

class PortSet {
 public:
  // Finds ports, chooses from them (UPCR_IBV_PORTS, or the nearest) and opens these. If none can be used,
  // ends the job with the list of what was found.
  void open(const Topology& topology);
  void close();  // after queue pairs, regions and completion queues are destroyed

  std::span<Port> ports() noexcept { return ports_; }
  // In the order of Device::index().
  std::span<Device* const> devices() const noexcept { return device_list_; }
  // Those of the devices, dealt to all processes of this machine.
  unsigned queue_pairs(const Topology& topology) const noexcept;
  // "rxe0:1 (RoCE, 10.77.0.1)", with commas between: for Conduit::describe().
  std::string describe() const;
  // For upcr_info, several lines: what was found, what is used, and the limits of the devices in use.
  std::string details() const;

 private:
  struct Anchor {
    void operator()(rdma_cm_id* id) const { ::rdma_destroy_id(id); }
  };
  struct Closer {
    void operator()(ibv_context* context) const { ::ibv_close_device(context); }
  };
  void open_port(const FoundDevice& device, const FoundPort& port);
  ibv_context* bind(const FoundAddress& address, const std::string& name);
  ibv_context* open_device(const std::string& name);
  Device* device_of(ibv_context* context);

  std::string found_;  // list_of()
  std::vector<std::unique_ptr<rdma_cm_id, Anchor>>
      anchors_;  // bound to the ports: they keep librdmacm's contexts open
  std::vector<std::unique_ptr<ibv_context, Closer>> contexts_;  // where librdmacm is not used
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<Device*> device_list_;
  std::vector<Port> ports_;
};

}  // namespace upcr::ibv
