// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations on one word that nobody else uses.
#include <memory>

#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

void fetch_add(UpcrRows& rows, const char* name, const char* whose, upcr_shared_ptr_t word) {
  rows.add(name, std::string("bupc_atomicU64_fetchadd_relaxed, ") + whose + " word",
           alone(rows.team(),
                 [word](std::uint64_t n) {
                   std::uint64_t sum = 0;
                   for (std::uint64_t i = 0; i < n; ++i) sum += bupc_atomicU64_fetchadd_relaxed(word, i);
                   keep(sum);
                 }),
           "atomic", &References::fetch_adds, 8);
}

}  // namespace

void add_atomics(UpcrRows& rows) {
  const UpcrThreadTeam& team = rows.team();
  fetch_add(rows, "fetch_add", "own", team.block_of(0));
  if (team.has_partner()) fetch_add(rows, "fetch_add_remote", "the partner's", team.block_of(team.partner()));
}

}  // namespace perf
