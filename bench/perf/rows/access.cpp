// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets of 8 bytes: in loops over an array, with an index that is computed, and non-blocking ones
// that are synchronised one by one or many at once.
#include <algorithm>

#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

std::ptrdiff_t word(std::uint64_t i) { return static_cast<std::ptrdiff_t>(i * 8); }

// The pointers are variables of the loop's own function, as the references'.
void put(upcr_pshared_ptr_t to, std::uint64_t n) {
  walk_words(n, [to](std::uint64_t i) { upcr_put_pshared_val(to, word(i), i, 8); });
}

void put_masked(upcr_pshared_ptr_t to, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) upcr_put_pshared_val(to, word(i & 511), i, 8);
}

void get(upcr_pshared_ptr_t from, std::uint64_t n) {
  std::uint64_t sum = 0;
  walk_words(n, [&](std::uint64_t i) { sum += upcr_get_pshared_val(from, word(i), 8); });
  do_not_optimize(sum);
}

void get_masked(upcr_pshared_ptr_t from, std::uint64_t n) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sum += upcr_get_pshared_val(from, word(i & 511), 8);
  do_not_optimize(sum);
}

// A loop of 64 in a loop, as a program with so many puts has it: a test of the index in every turn would be
// measured too.
void put_nbi(upcr_pshared_ptr_t to, std::uint64_t n) {
  constexpr std::uint64_t kSynced = 64, kWords = 512;
  for (std::uint64_t done = 0; done < n; done += kSynced) {
    const std::uint64_t first = done % kWords, end = first + std::min(kSynced, n - done);
    for (std::uint64_t i = first; i < end; ++i) upcr_put_nbi_pshared_val(to, word(i), i, 8);
    upcr_wait_syncnbi_puts();
  }
}

// ---- non-blocking: each with a handle that is waited for, and a flood of puts that are waited for together
// ----

constexpr std::uint64_t kFlood = 4096;  // puts before they are waited for
std::ptrdiff_t masked_offset(std::uint64_t i) { return static_cast<std::ptrdiff_t>((i & 511) * 8); }

}  // namespace

void add_accesses(UpcrRows& rows) {
  const upcr_pshared_ptr_t target = upcr_shared_to_pshared(rows.team().target());
  const auto add = [&](const char* name, const char* summary, void (*work)(upcr_pshared_ptr_t, std::uint64_t),
                       const char* machine, Rows::Reference reference) {
    rows.add_access(name, summary, on_leader(rows.team(), [=](std::uint64_t n) { work(target, n); }), machine,
                    reference);
  };
  add("put", "upcr_put_pshared_val, 8 bytes", put, "stores", &References::stores);
  add("get", "upcr_get_pshared_val, 8 bytes", get, "loads", &References::loads);
  add("put_masked", "the same, to the place i & 511", put_masked, "stores", &References::masked_stores);
  add("get_masked", "the same, from the place i & 511", get_masked, "loads", &References::masked_loads);
  add("put_nbi", "upcr_put_nbi_pshared_val, 8 bytes, synced every 64", put_nbi, "stores",
      &References::stores);
}

void add_nonblocking(UpcrRows& rows) {
  const upcr_pshared_ptr_t target = upcr_shared_to_pshared(rows.team().target());
  rows.add_access("put_nb", "upcr_put_nb_pshared_val and upcr_wait_syncnb, 8 bytes",
                  on_leader(rows.team(),
                            [target](std::uint64_t n) {
                              for (std::uint64_t i = 0; i < n; ++i)
                                upcr_wait_syncnb(upcr_put_nb_pshared_val(target, masked_offset(i), i, 8));
                            }),
                  "stores", &References::stores);
  rows.add_access("get_nb", "upcr_get_nb_pshared and upcr_wait_syncnb, 8 bytes",
                  on_leader(rows.team(),
                            [target](std::uint64_t n) {
                              std::uint64_t sum = 0, got = 0;
                              for (std::uint64_t i = 0; i < n; ++i) {
                                upcr_wait_syncnb(upcr_get_nb_pshared(&got, target, masked_offset(i), 8));
                                sum += got;
                              }
                              do_not_optimize(sum);
                            }),
                  "loads", &References::loads);
  rows.add_access("put_flood", "upcr_put_nbi_pshared_val, 8 bytes, synced every 4096",
                  on_leader(rows.team(),
                            [target](std::uint64_t n) {
                              for (std::uint64_t done = 0; done < n;) {
                                const std::uint64_t end = done + kFlood < n ? done + kFlood : n;
                                for (; done < end; ++done)
                                  upcr_put_nbi_pshared_val(target, masked_offset(done), done, 8);
                                upcr_wait_syncnbi_puts();
                              }
                            }),
                  "stores", &References::stores);
}

}  // namespace perf
