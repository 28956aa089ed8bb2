// SPDX-License-Identifier: BSD-3-Clause
// upcr_perf: what the operations of UPC cost, as ratios to what the machine does in the same milliseconds.
//   upcrun -n 2 upcr_perf [-t NAME]... [--json FILE]
// And what they cost for users, as tables like those of the OSU micro-benchmarks: user/user.hpp
//   upcrun -n 2 upcr_perf put:8..4M
#include <upcr.h>

#include "bench/perf/measure/job_facts.hpp"
#include "bench/perf/measure/program.hpp"
#include "bench/perf/network/cases.hpp"
#include "bench/perf/rows/upcr_rows.hpp"
#include "bench/perf/user/user.hpp"

namespace perf {
namespace {

constexpr Program kProgram{
    "upcr_perf",
    "Latencies of UPC operations beside references measured in the same run. With names of "
    "tests, as in 'upcr_perf put:8..4M get_bw', tables of latencies, bandwidths and message "
    "rates: upcr_perf put --help"};

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
  if (user::is_asked(argc, argv)) {
    const std::optional<user::Command> command = user::parse(team.leads(), argc, argv, &status);
    return command ? user::run(team, *command) : status;
  }
  const std::optional<Options> options = parse(kProgram, team.leads(), argc, argv, &status);
  if (!options) return status;
  References references(team);
  std::vector<Case> cases = make_cases(team, references);
  return run_cases(kProgram, {"upcr " UPCR_VERSION, conduit_name()}, team, *options, cases);
}

}  // namespace
}  // namespace perf

int main(int argc, char** argv) {
  if (perf::user::is_asked(argc, argv)) {
    int status = 0;
    const auto command = perf::user::parse(false, argc, argv, &status);
    if (command && command->starts_jobs()) return perf::user::start_jobs(*command, argc, argv);
  }
  perf::start_network();
  bupc_init_reentrant(&argc, &argv, &perf::run);
  return 1;  // not reached
}
