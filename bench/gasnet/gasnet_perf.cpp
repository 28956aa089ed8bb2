// SPDX-License-Identifier: BSD-3-Clause
// gasnet_perf: the times of calls of gasnet.h, active messages among them, as ratios to references that are
// measured in the same milliseconds. An ordinary client of gasnet.h; with GASNET_PAR it has several threads
// in each node.
//   upcrun -n 2 gasnet_perf [-t NAME]... [--json FILE]
//   upcrun -n 2 gasnet_perf_par --threads 2 -t am_short_crowd
#include <gasnet.h>

#include <cstdio>
#include <cstring>
#include <thread>

#include "bench/gasnet/call_rows.h"
#include "bench/gasnet/gasnet_rows.hpp"
#include "bench/gasnet/messages.hpp"
#include "bench/perf/measure/program.hpp"

namespace perf {
namespace {

#ifdef GASNET_PAR
constexpr Program kProgram{
    "gasnet_perf_par",
    "Latencies of GASNet calls of several threads a node, beside references measured in "
    "the same run.",
    true};
#else
constexpr Program kProgram{"gasnet_perf",
                           "Latencies of GASNet calls beside references measured in the same run."};
#endif

const char* conduit_name() {
  const char* const conduit = gasnet_getenv("UPCR_CONDUIT");
  return conduit != nullptr && *conduit != 0 ? conduit : "smp";
}

// Collective. The team and the references outlive the cases.
std::vector<Case> make_cases(const GasnetThreadTeam& team, References& references) {
  GasnetRows rows(team, references);
  add_calls(rows);
  add_messages(rows);
  add_crowd(rows);
  add_network_messages(rows);
  return std::move(rows.cases());
}

int run(Node& node, unsigned thread, const Options& options) {
  const GasnetThreadTeam team(node, thread);
  std::memset(team.mine_here(), 1, CALL_BYTES);
  References references(team);
  std::vector<Case> cases = make_cases(team, references);
  const int status = run_cases(kProgram, {"GASNet of upcr, release " GASNET_CORE_VERSION_STR, conduit_name()},
                               team, options, cases);
  cases.clear();
  team.barrier();
  return status;
}

// The status of the node's first thread.
int run_all(const Options& options) {
  Node node(options.threads);
  std::vector<std::thread> others;
  for (unsigned t = 1; t < options.threads; ++t)
    others.emplace_back([&node, &options, t] { run(node, t, options); });
  const int status = run(node, 0, options);
  for (std::thread& other : others) other.join();
  return status;
}

}  // namespace
}  // namespace perf

int main(int argc, char** argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  int status = 0;
  const std::optional<perf::Options> options =
      perf::parse(perf::kProgram, gasnet_mynode() == 0, argc, argv, &status);
  std::vector<gasnet_handlerentry_t> handlers = perf::message_handlers();
  const std::uintptr_t bytes = perf::Node::segment_bytes(options ? options->threads : 1);
  if (gasnet_attach(handlers.data(), static_cast<int>(handlers.size()), bytes, 0) != GASNET_OK) {
    std::fprintf(stderr, "%s: gasnet_attach refuses a segment of %zu bytes; GASNET_MAX_SEGSIZE may be less\n",
                 perf::kProgram.name, static_cast<std::size_t>(bytes));
    gasnet_exit(1);
  }
  if (options) status = perf::run_all(*options);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(status);
  return status;
}
