// SPDX-License-Identifier: BSD-3-Clause
// Which port the programs with raw verbs use, and how they end when verbs fail. Knows nothing of upcr.
#pragma once
#include <netinet/in.h>

#include <string>

namespace perf {

struct VerbsPort {
  sockaddr_in address{};
  std::string device;  // empty: there is none,
  std::string reason;  // because of this
};

// A network interface's IPv4 address that belongs to an RDMA port: of the device that UPCR_IBV_PORTS names
// first, else the first that is found. rdma_cm says what belongs to what, whatever the device is.
VerbsPort find_verbs_port();

}  // namespace perf
