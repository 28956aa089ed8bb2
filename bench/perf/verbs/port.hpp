// SPDX-License-Identifier: BSD-3-Clause
// Which port the programs with raw verbs use, and how they end when verbs fail. Knows nothing of upcr.
#pragma once
#include <netinet/in.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace perf {

// Prints one line on stderr and ends the program, and with it the job. `error` is an errno; 0: `what` says it
// all.
[[noreturn]] inline void verbs_fail(const char* what, int error) {
  std::fprintf(stderr, "raw verbs: %s%s%s\n", what, error != 0 ? ": " : "",
               error != 0 ? std::strerror(error) : "");
  std::exit(1);
}

struct VerbsPort {
  sockaddr_in address{};
  std::string device;  // empty: there is none,
  std::string reason;  // because of this
};

// A network interface's IPv4 address that belongs to an RDMA port: of the device that UPCR_IBV_PORTS names
// first, else the first that is found. rdma_cm says what belongs to what, whatever the device is.
VerbsPort find_verbs_port();

}  // namespace perf
