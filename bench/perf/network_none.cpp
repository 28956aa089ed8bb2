// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/network_cases.hpp"

namespace perf {

void add_network_cases(const Crew&, std::vector<Case>&) {}

}  // namespace perf
