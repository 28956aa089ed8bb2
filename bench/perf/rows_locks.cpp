// SPDX-License-Identifier: BSD-3-Clause
// upcr_lock and upcr_unlock.
#include "bench/perf/rows.hpp"

namespace perf {

void add_locks(Rows& rows) {
  const upcr_shared_ptr_t lock = upcr_all_lock_alloc();
  const auto cycle = [lock](std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) {
      upcr_lock(lock);
      upcr_unlock(lock);
    }
  };
  rows.add("lock", "upcr_lock and upcr_unlock, nobody else wants it", alone(rows.crew(), cycle), "mutex",
           [r = &rows.references()](std::uint64_t n) { return r->mutexes(n); });
  if (rows.crew().threads() == 1) return;
  rows.add_with_ping_pong("lock_all", "the same wanted by all threads, time of one turn of each",
                          [&crew = rows.crew(), cycle](std::uint64_t n) {
                            const double start = now_ns();
                            cycle(n);
                            crew.barrier();
                            return now_ns() - start;
                          });
}

}  // namespace perf
