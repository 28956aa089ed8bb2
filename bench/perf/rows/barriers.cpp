// SPDX-License-Identifier: BSD-3-Clause
// The barrier of all threads.
#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {

void add_barriers(UpcrRows& rows) {
  rows.add_with_ping_pong("barrier", "upcr_barrier of all threads", [](std::uint64_t n) {
    for (std::uint64_t i = 0; i < kWarmUp; ++i) upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    const double start = now_ns();
    for (std::uint64_t i = 0; i < n; ++i) upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    return now_ns() - start;
  });
}

}  // namespace perf
