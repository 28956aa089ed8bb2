// SPDX-License-Identifier: BSD-3-Clause
// Single values: puts and gets of 8 bytes.
#include "bench/perf/rows.hpp"

namespace perf {
void add_accesses(Rows& rows) {
  const upcr_pshared_ptr_t target = upcr_shared_to_pshared(rows.crew().target());
  rows.add_access("put", "upcr_put_pshared_val, 8 bytes",
                  alone(rows.crew(),
                        [target](std::uint64_t n) {
                          const upcr_pshared_ptr_t to = target;  // a variable, as the reference's
                          for (std::uint64_t i = 0; i < n; ++i)
                            upcr_put_pshared_val(to, static_cast<std::ptrdiff_t>((i & 511) * 8), i, 8);
                        }),
                  "stores", &References::stores);
  rows.add_access("get", "upcr_get_pshared_val, 8 bytes",
                  alone(rows.crew(),
                        [target](std::uint64_t n) {
                          const upcr_pshared_ptr_t from = target;
                          std::uint64_t sum = 0;
                          for (std::uint64_t i = 0; i < n; ++i)
                            sum += upcr_get_pshared_val(from, static_cast<std::ptrdiff_t>((i & 511) * 8), 8);
                          keep(sum);
                        }),
                  "loads", &References::loads);
  rows.add_access("put_nbi", "upcr_put_nbi_pshared_val, 8 bytes, synced every 64",
                  alone(rows.crew(),
                        [target](std::uint64_t n) {
                          const upcr_pshared_ptr_t to = target;
                          for (std::uint64_t i = 1; i <= n; ++i) {
                            upcr_put_nbi_pshared_val(to, static_cast<std::ptrdiff_t>((i & 511) * 8), i, 8);
                            if (i % 64 == 0) upcr_wait_syncnbi_puts();
                          }
                          upcr_wait_syncnbi_puts();
                        }),
                  "stores", &References::stores);
}

}  // namespace perf
