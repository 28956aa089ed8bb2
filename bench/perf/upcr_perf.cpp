// SPDX-License-Identifier: BSD-3-Clause
// upcr_perf: what the operations of UPC cost, as ratios to what the machine does in the same milliseconds.
//   upcrun -n 2 upcr_perf [-t NAME]... [--json FILE]
#include <upcr.h>

#include "bench/perf/measure/job_facts.hpp"
#include "bench/perf/measure/program.hpp"
#include "bench/perf/network/cases.hpp"
#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

constexpr Program kProgram{"upcr_perf",
                           "Latencies of UPC operations beside references measured in the same run."};

// Collective. The team and the references outlive the cases.
std::vector<Case> make_cases(const UpcrThreadTeam& team, References& references) {
  UpcrRows rows(team, references);
  add_accesses(rows);
  add_nonblocking(rows);
  add_pointers(rows);
  add_copies(rows);
  add_scattered(rows);
  add_barriers(rows);
  add_atomics(rows);
  add_locks(rows);
  add_collectives(rows);
  add_network_cases(team, rows.cases());
  return std::move(rows.cases());
}

int run(int argc, char** argv) {
  const UpcrThreadTeam team;
  int status = 0;
  const std::optional<Options> options = parse(kProgram, team.leads(), argc, argv, &status);
  if (!options) return status;
  References references(team);
  std::vector<Case> cases = make_cases(team, references);
  return run_cases(kProgram, {"upcr " UPCR_VERSION, conduit_name()}, team, *options, cases);
}

}  // namespace
}  // namespace perf

int main(int argc, char** argv) {
  perf::start_network();
  bupc_init_reentrant(&argc, &argv, &perf::run);
  return 1;  // not reached
}
