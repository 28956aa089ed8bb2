// SPDX-License-Identifier: BSD-3-Clause
// upcr_info --network: the network that a job gets on this machine, with this environment, and the choices
// that it has made at start-up. upcr_info itself is the job.
#include <cstdio>
#include <string>

#include "sections.hpp"
#include "upcr.h"
#include "upcr/state/runtime.hpp"

int print_network(int argc, char** argv) {
  bupc_init(&argc, &argv);
  if (upcr_mythread() == 0) {
    const upcr::Job& job = upcr::job();
    std::printf("%s\n", job.conduit->describe().c_str());
    if (const std::string details = job.conduit->details(); !details.empty())
      std::printf("%s\n", details.c_str());
    std::printf("%u processes; UPC thread 0 reaches %u of %u UPC threads without the network\n",
                job.topology.size, job.topology.window_group_slots(), job.topology.slots());
  }
  bupc_exit(0);
  return 0;
}
