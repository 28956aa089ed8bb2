// SPDX-License-Identifier: BSD-3-Clause
// The ports that this process uses: found, chosen (found.hpp) and opened. Main thread, at attach.
#pragma once
#include <sys/socket.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conduits/ibv/device.hpp"

namespace upcr::ibv {

inline constexpr unsigned kMaxPorts = 4;  // of a process; their addresses travel and are kept for each peer

struct Port {
  Device* device = nullptr;
  std::uint8_t number = 1;       // of the device, from 1
  std::uint8_t prefix_bits = 0;  // of the address: ports with a common prefix reach each other
  sockaddr_storage address{};    // IPv4 or IPv6, what librdmacm is bound to; its port number is 0
  std::string name;              // "mlx5_0:1, 10.77.0.1", for messages
};

class PortSet {
 public:
  // Finds, chooses (UPCR_IBV_PORTS, or the nearest) and opens. Ends the job with the list of what was found
  // when there is nothing to be used.
  void open();
  void close();  // queue pairs, regions and completion queues must be gone

  std::span<Port> ports() noexcept { return ports_; }
  // In the order of Device::index().
  std::span<Device* const> devices() const noexcept { return device_list_; }
  // "rxe0:1 10.77.0.1 (RoCE, active, 1024-byte packets; ...)": for Conduit::describe().
  std::string describe() const;

 private:
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<Device*> device_list_;
  std::vector<Port> ports_;
};

// True when a job's process could use some port here, without opening anything for good; else `why` says in
// one line what is missing. For the choice of a conduit.
bool any_port(std::string* why);
// Every device and port with state, address and why it does or does not do, one line each. For upcr_info.
std::string list_ports();

}  // namespace upcr::ibv
