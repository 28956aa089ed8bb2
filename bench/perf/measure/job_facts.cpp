// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/measure/job_facts.hpp"

#include "upcr/state/runtime.hpp"

namespace perf {

const char* conduit_name() { return upcr::job().conduit->name(); }
std::string network_description() { return upcr::job().conduit->describe(); }
std::size_t heap_bytes() { return upcr::job().segments.bytes; }

}  // namespace perf
