// SPDX-License-Identifier: BSD-3-Clause
// Addresses of ports. Under the fabric's mutex.
#pragma once
#include <infiniband/verbs.h>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

// The ports of a device as the settings say, unless another process has made them.
void make_ports(Fabric& fabric, unsigned device);
// Null if the device has no port of this number (from 1 on).
Port* find_port(Fabric& fabric, unsigned device, unsigned number);
// Tells all processes that have the device open. False if there is no such port.
bool set_port_down(Fabric& fabric, unsigned device, unsigned number, bool down);
// The port to which this leads: by GID, or by LID. Null if there is none, or if it or the own port is down,
// or not in the same kind of network.
const Port* reach(Fabric& fabric, const Port& own, const ibv_ah_attr& path);
// Members of a partition hear each other, unless both are limited ones.
bool share_partition(std::uint16_t key, std::uint16_t other);

}  // namespace emulated
