// SPDX-License-Identifier: BSD-3-Clause
// The RDMA devices and ports of this host, and which of them a process uses. Pure: discover_devices.cpp fills
// the description in, tests make descriptions up. Main thread.
#pragma once
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conduits/net/ibv/device/connect_setting.hpp"

namespace upcr::ibv {

inline constexpr unsigned kMaxPorts = 4;  // of a process; every peer gets their addresses

// In the order of preference. Ports connect to ports of the same kind only, so the kind comes before how near
// or fast they are: a host with an InfiniBand and a RoCE device uses the same one as its peers.
enum class Kind : std::uint8_t { kInfiniBand, kRoce, kIwarp, kOther };
const char* name_of(Kind kind);

enum class PortState : std::uint8_t { kDown, kInit, kArmed, kActive, kActiveDefer, kUnknown };
const char* name_of(PortState state);

struct FoundAddress {
  sockaddr_storage address{};
  std::uint8_t prefix_bits = 0;
  std::uint16_t pkey = 0;  // the partition of an IPoIB interface; 0: of none
};

struct FoundPort {
  std::uint8_t number = 1;
  PortState state = PortState::kUnknown;
  Kind kind = Kind::kOther;
  std::string netdev;                   // "eth0"; empty: not known
  std::vector<FoundAddress> addresses;  // that librdmacm binds to this port, the best one first
  FoundAddress gid;                     // its address without librdmacm
  int gid_index = -1;                   // in the port's table; -1: it has none
  bool by_gid = false;                  // `addresses` has `gid` only: librdmacm has none, or is not used
  const char* obstacle = nullptr;       // why UPCR_IBV_CONNECT_BY does not allow this port; null: it does
  std::uint16_t no_address_in = 0;  // the partition to which none of its addresses belongs; 0: not asked for
  unsigned gigabits = 0;            // per second; 0: not known
  unsigned mtu = 0;                 // bytes of a packet
};

struct FoundDevice {
  std::string name;
  std::string error;      // why it cannot be opened, with the cure; empty: it can
  bool software = false;  // no PCI device behind it
  unsigned span = 0;  // distance: processors in the smallest part of the host that holds the device and this
                      // process; smaller is nearer
  std::vector<FoundPort> ports;
};

struct Found {
  std::string host;
  std::string
      error;  // why no device of this host can be used (no /dev/infiniband/rdma_cm ...), with the cure
  std::vector<FoundDevice> devices;
};

struct ChosenPort {
  unsigned device, port;  // indices into Found::devices and its ports
  bool operator==(const ChosenPort&) const = default;
};

struct Choice {
  std::vector<ChosenPort> ports;
  std::string error;  // why no port is chosen, with values and cure but without the list; empty: some are
};

// `setting`: UPCR_IBV_PORTS, or null. Without it: hardware before software, ports with an IP address before
// those without, of the best kind, in each subnet the nearest one, of those the fastest; of equals by `turn`
// (the process's number on its host).
Choice choose_ports(const Found& found, const char* setting, unsigned turn, unsigned most);

// Applies UPCR_IBV_CONNECT_BY: ports that are to be reached without librdmacm get their GID as the only
// address. kAuto: those that have no IP address.
void apply_connect_setting(Found& found, ConnectBy setting);

// Leaves each InfiniBand port the addresses of one partition. `setting`: UPCR_IBV_PKEY, hexadecimal with 0x
// or decimal. Two keys are of one partition if their lower 15 bits are equal; the 16th says full or limited
// member. Returns why it is none; empty: it is one.
std::string keep_partition(Found& found, const char* setting);

// Why this port cannot be used; empty: it can.
std::string unusable_reason(const FoundDevice& device, const FoundPort& port);
// Describes this host (discover_devices.cpp). Opens each device for a moment, and librdmacm until the process
// ends.
Found discover_devices();
// A line for each port, each beginning with "\n  ".
std::string list_of(const Found& found);

}  // namespace upcr::ibv
