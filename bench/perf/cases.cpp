// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/cases.hpp"

#include "bench/perf/network_cases.hpp"
#include "bench/perf/rows.hpp"

namespace perf {

std::vector<Case> make_cases(const Crew& crew, References& references) {
  Rows rows(crew, references);
  add_accesses(rows);
  add_nonblocking(rows);
  add_pointers(rows);
  add_copies(rows);
  add_scattered(rows);
  add_messages(rows);
  add_crowd(rows);
  add_barriers(rows);
  add_atomics(rows);
  add_locks(rows);
  add_collectives(rows);
  add_network_cases(crew, rows.cases());
  return std::move(rows.cases());
}

}  // namespace perf
