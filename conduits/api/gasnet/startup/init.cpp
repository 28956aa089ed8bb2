// SPDX-License-Identifier: BSD-3-Clause
// gasnet_init: joins the job and determines the limits of gasnet_attach(). Initial thread.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/environment.hpp"
#include "conduits/api/gasnet/tools/numbers.hpp"
#include "conduits/api/gasnet/tools/tools.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/memory_limits.hpp"
#include "conduits/core/startup/startup.hpp"
#include "include/gasnet/tools/environment.h"
#include "include/gasnet/tools/errors.h"

namespace upcr::gasnet {
namespace {

// The program's arguments, for gasnet_init(NULL, NULL): glibc hands them to constructors.
int saved_argc = 0;
char** saved_argv = nullptr;
__attribute__((constructor)) void save_arguments(int argc, char** argv, char**) {
  saved_argc = argc;
  saved_argv = argv;
}

constexpr std::uint64_t kPage = GASNETT_PAGESIZE;
constexpr std::int64_t kMaxNodes = 65536;
// The payload of a Medium message in bytes, of a conduit that does not know its limit before attach.
constexpr std::size_t kMinMedium = 512;

// GASNET_PSHM_NODES, or 0.
unsigned nodes_to_start() {
  const char* text = std::getenv("GASNET_PSHM_NODES");
  if (text == nullptr || *text == '\0') return 0;
  const std::int64_t n = gasnett_parse_int(text, 0);
  if (n < 1 || n > kMaxNodes)
    fatal("GASNET_PSHM_NODES=%s: expected a number from 1 to %lld", text, static_cast<long long>(kMaxNodes));
  return static_cast<unsigned>(n);
}

// Rank 0 loads the conduit first: when that fails, it alone reports the error; and it empties a trace's file
// before others write to it. The trace's keeper is started before a conduit registers memory with a device,
// which old kernels forbid to a process that starts others.
void load_conduit_together(const char* name) {
  Job& j = job();
  if (j.topology.rank != 0) j.bootstrap->barrier();
  start_trace({gasneti_state.mynode, gasneti_state.nodes, program_invocation_name});
  load_conduit(j, name);
  if (j.topology.rank == 0) j.bootstrap->barrier();
}

// The user's limit, the program's, or none.
std::uint64_t segment_limit() {
  const std::uint64_t built_in = gasnet_max_segsize != 0 ? gasnet_max_segsize : INT64_MAX;
  const char* text = job_getenv("GASNET_MAX_SEGSIZE");
  const bool set = text != nullptr && *text != '\0';
  std::int64_t bytes = 0;
  if (set && (!read_integer(text, 1, &bytes) || bytes <= 0))
    fatal("GASNET_MAX_SEGSIZE=%s: expected a size, as 512M or 2G", text);
  const std::uint64_t limit = set ? static_cast<std::uint64_t>(gasnett_parse_int(text, 1)) : built_in;
  gasnett_envint_display("GASNET_MAX_SEGSIZE", static_cast<std::int64_t>(limit), !set, 1);
  return std::max(limit, kPage);
}

void find_largest_segments() {
  Client& c = client();
  if (c.everything) {
    c.max_local = c.max_global = UINTPTR_MAX;
    return;
  }
  // A process maps the segments of all that share memory with it, and the client needs some room as well.
  const std::uint64_t mappable = address_space_left() / 2 / job().topology.window_group_size;
  const std::uint64_t most =
      std::min<std::uint64_t>({max_local_segment(job(), 1), segment_limit(), mappable});
  const std::uint64_t mine = std::max(most / kPage * kPage, kPage);
  std::vector<std::uint64_t> all(job().topology.size);
  job().bootstrap->allgather(&mine, sizeof mine, all.data());
  c.max_local = mine;
  c.max_global = *std::min_element(all.begin(), all.end());
}

void find_nodes() {
  const Topology& t = job().topology;
  struct Groups {
    Rank host, window_group_first;
  } const mine = {t.host_name, t.window_group_first};
  std::vector<Groups> all(t.size);
  job().bootstrap->allgather(&mine, sizeof mine, all.data());
  std::vector<gasnet_nodeinfo_t>& nodes = client().nodes;
  nodes.assign(t.size, {0, 0, 0});
  // Supernodes are runs of ranks, hosts may not be: numbered in the order of their lowest ranks.
  gasnet_node_t hosts = 0;
  for (Rank r = 0; r < t.size; ++r) {
    nodes[r].host = all[r].host == r ? hosts++ : nodes[all[r].host].host;
    if (r > 0)
      nodes[r].supernode =
          nodes[r - 1].supernode + (all[r].window_group_first != all[r - 1].window_group_first);
  }
}

// Variables that only core reads, for the report of GASNET_VERBOSEENV.
void show_settings() {
  for (const char* name : {"GASNET_PSHM_NODES", "GASNET_SUPERNODE_MAXSIZE", "GASNET_BARRIER", "GASNET_FREEZE",
                           "GASNET_FREEZE_ON_ERROR", "UPCR_CONDUIT", "UPCR_PSHM"}) {
    const char* value = job_getenv(name);
    gasnett_envstr_display(name, value, value == nullptr);
  }
}

// What upcrun --stats and --trace set. They have no effect on nodes, which GASNet's own variables observe.
void warn_about_upc_observation() {
  constexpr struct {
    const char *variable, *option, *instead;
  } kObservations[] = {{"UPCR_STATS", "--stats", "GASNET_STATSFILE"},
                       {"UPCR_TRACE", "--trace", "GASNET_TRACEFILE"}};
  for (const auto& [variable, option, instead] : kObservations) {
    const char* const value = std::getenv(variable);
    bool wanted = true;
    if (value == nullptr || *value == '\0' || (parse_bool(value, &wanted) && !wanted)) continue;
    warn(
        "%s (upcrun %s) is for programs of UPC; GASNet clients have %s=FILE, of which upcr_report makes the same",
        variable, option, instead);
  }
}

}  // namespace

extern "C" {

__attribute__((weak)) GASNETI_API uint64_t gasnet_max_segsize = 0;

GASNETI_API int GASNETI_INIT(int* argc, char*** argv, const char* const* units, const char* const* units_end,
                             const char* conduit) {
  Client& c = client();
  if (c.stage.load() != Stage::kNone)
    return refuse({GASNET_ERR_NOT_INIT, "gasnet_init"}, "GASNet is initialized already");
  install_client_api();
  check_units(units, units_end);
  c.pid = getpid();
  StartOptions options;
  options.argc = argc != nullptr ? *argc : saved_argc;
  options.argv = argv != nullptr && *argv != nullptr ? *argv : saved_argv;
  options.processes = nodes_to_start();
  options.conduit = conduit;
  start_job(job(), options);
  gasneti_state.mynode = job().topology.rank;
  gasneti_state.nodes = job().topology.size;
  take_environment(*job().bootstrap);
  if (job().topology.rank == 0) warn_about_upc_observation();
  set_tools_job(
      {job_getenv, set_environment, job().topology.rank == 0, static_cast<long>(job().topology.rank)});
  gasnett_backtrace_init(saved_argc > 0 ? saved_argv[0] : "");
  install_signals();
  watch_exit();
  load_conduit_together(choose_conduit(job(), conduit));
  const std::size_t medium = job().conduit->caps().max_medium;
  gasneti_state.max_medium = medium != 0 ? medium : kMinMedium;
  find_largest_segments();
  find_nodes();
  show_settings();
  c.stage.store(Stage::kStarted, std::memory_order_release);
  return GASNET_OK;
}

}  // extern "C"

}  // namespace upcr::gasnet
