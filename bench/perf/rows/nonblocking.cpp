// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking puts and gets of 8 bytes, each waited for by its handle, and a flood of puts that are waited
// for together.
#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

constexpr std::uint64_t kFlood = 4096;  // puts before they are waited for
std::ptrdiff_t place(std::uint64_t i) { return static_cast<std::ptrdiff_t>((i & 511) * 8); }

}  // namespace

void add_nonblocking(UpcrRows& rows) {
  const upcr_pshared_ptr_t target = upcr_shared_to_pshared(rows.team().target());
  rows.add_access("put_nb", "upcr_put_nb_pshared_val and upcr_wait_syncnb, 8 bytes",
                  alone(rows.team(),
                        [target](std::uint64_t n) {
                          for (std::uint64_t i = 0; i < n; ++i)
                            upcr_wait_syncnb(upcr_put_nb_pshared_val(target, place(i), i, 8));
                        }),
                  "stores", &References::stores);
  rows.add_access("get_nb", "upcr_get_nb_pshared and upcr_wait_syncnb, 8 bytes",
                  alone(rows.team(),
                        [target](std::uint64_t n) {
                          std::uint64_t sum = 0, got = 0;
                          for (std::uint64_t i = 0; i < n; ++i) {
                            upcr_wait_syncnb(upcr_get_nb_pshared(&got, target, place(i), 8));
                            sum += got;
                          }
                          keep(sum);
                        }),
                  "loads", &References::loads);
  rows.add_access("put_flood", "upcr_put_nbi_pshared_val, 8 bytes, synced every 4096",
                  alone(rows.team(),
                        [target](std::uint64_t n) {
                          for (std::uint64_t done = 0; done < n;) {
                            const std::uint64_t end = done + kFlood < n ? done + kFlood : n;
                            for (; done < end; ++done) upcr_put_nbi_pshared_val(target, place(done), done, 8);
                            upcr_wait_syncnbi_puts();
                          }
                        }),
                  "stores", &References::stores);
}

}  // namespace perf
