// SPDX-License-Identifier: BSD-3-Clause
// The barrier of all threads.
#include "bench/perf/rows.hpp"

namespace perf {

void add_barriers(Rows& rows) {
  rows.add_with_ping_pong("barrier", "upcr_barrier of all threads", [&crew = rows.crew()](std::uint64_t n) {
    for (std::uint64_t i = 0; i < kWarmUp; ++i) crew.barrier();
    const double start = now_ns();
    for (std::uint64_t i = 0; i < n; ++i) crew.barrier();
    return now_ns() - start;
  });
}

}  // namespace perf
