// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/program.hpp"

namespace upcrun {
namespace {

unsigned choose_pthreads(const Options& options, const std::string& program) {
  if (options.pthreads != 0) return options.pthreads;
  const unsigned built_for = default_pthreads(program);
  return built_for != 0 ? built_for : 1;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string chosen_conduit(const Options& options) {
  return options.conduit.empty() ? environment("UPCR_CONDUIT") : options.conduit;
}

bool names_hosts(const Options& options) {
  return options.spreads_over_allocation || !options.hosts.empty() || !options.hostfile.empty();
}

bool has_mpirun() {
  if (!environment("UPCR_MPIRUN").empty()) return true;
  return std::any_of(std::begin(kMpirunNames), std::end(kMpirunNames),
                     [](const MpirunName& mpirun) { return is_in_path(mpirun.name); });
}

// Where the user has named hosts and no conduit the processes choose one: mpirun starts them, if there is
// one, since with any other launcher mpi would be none of those.
bool needs_mpirun(const Options& options) {
  const std::string conduit = chosen_conduit(options);
  return conduit == "mpi" || (conduit.empty() && names_hosts(options) && has_mpirun());
}

// Of a job whose user has chosen nothing: processes of an allocation that has other hosts choose a network
// that reaches them.
void use_allocation(Options& options, unsigned processes) {
  if (options.host_processes != 0 || !chosen_conduit(options).empty() || names_hosts(options)) return;
  const std::vector<Host> hosts = allocated_hosts(options, processes);
  options.spreads_over_allocation = !hosts.empty() && !all_on_this_host(hosts);
}

// Fills in what the command line has left to the program, and returns the number of processes.
unsigned settle(Options& options, const std::string& program, unsigned pthreads) {
  if (options.threads == 0 && !options.gasnet) options.threads = static_threads(program);
  if (options.threads == 0) options.threads = options.allocation.processes * pthreads;
  if (options.threads == 0 && options.info) options.threads = 1;
  if (options.threads == 0) throw Failure{2, missing_threads(options)};
  options.host_slots = (options.threads_per_host + pthreads - 1) / pthreads;
  const unsigned processes = (options.threads + pthreads - 1) / pthreads;
  use_allocation(options, processes);
  return processes;
}

// OMP_NUM_THREADS, whose first number is that of the outermost threads; 0: not set.
unsigned openmp_threads() {
  static_assert(BindingRequest::kAnyWidth == 0);
  const unsigned long number = std::strtoul(environment("OMP_NUM_THREADS").c_str(), nullptr, 10);
  return number <= kMaxCpus ? static_cast<unsigned>(number) : 0;
}

// The number of threads of one process, as far as upcrun knows it. Nodes of GASNet create threads of their
// own unless the program is GASNET_SEQ; an unknown program that was started as a GASNet program counts as
// one. OpenMP's variable may say how many these are.
unsigned binding_width(const Options& options, const std::string& program, unsigned pthreads) {
  if (options.cpus_per_process != 0) return options.cpus_per_process;
  const GasnetMode mode = gasnet_mode(program);
  const bool unknown = mode == GasnetMode::kThreads || (mode == GasnetMode::kUnknown && options.gasnet);
  return unknown ? openmp_threads() : std::min(pthreads, options.threads);
}

// Where there are agents, each agent binds the processes of its own host.
Binding choose_binding(const Options& options, const std::string& program, unsigned pthreads,
                       unsigned processes, LaunchMethod launch_method) {
  if (launch_method != LaunchMethod::kFork) return Binding({Bind::kNone, MapBy::kCore, processes});
  return Binding({options.bind, options.map_by,
                  options.host_processes != 0 ? options.host_processes : processes,
                  binding_width(options, program, pthreads), options.serves_host});
}

// The hosts on which upcrun starts agents itself: of conduits other than smp, which has one host, where
// mpirun is not needed.
std::vector<Host> hosts_for_remote_shell(const Options& options, unsigned processes) {
  const std::string conduit = chosen_conduit(options);
  if (options.host_processes != 0 || needs_mpirun(options)) return {};
  if (conduit.empty() ? names_hosts(options) : conduit != "smp") {
    std::vector<Host> hosts = named_hosts(options, processes);
    return hosts.empty() ? allocated_hosts(options, processes) : hosts;
  }
  for (const auto& [value, name] :
       {std::pair(options.hosts, "-H"), {options.hostfile, "--hostfile"}, {options.rsh, "--rsh"}})
    if (!value.empty())
      throw Failure{
          2, std::string(name) + " is for conduits that reach other hosts; use --conduit ibv, ofi or mpi"};
  return {};
}

LaunchMethod choose_launch_method(const Options& options, const std::vector<Host>& hosts) {
  if (options.host_processes != 0) return LaunchMethod::kFork;
  if (needs_mpirun(options)) return LaunchMethod::kMpirun;
  return hosts.empty() || all_on_this_host(hosts) ? LaunchMethod::kFork : LaunchMethod::kRemoteShell;
}

}  // namespace

Plan::Plan(Options wanted)
    : options(std::move(wanted)),
      program(find_program(options.program, true)),
      pthreads(choose_pthreads(options, program)),
      processes(settle(options, program, pthreads)),
      hosts(hosts_for_remote_shell(options, processes)),
      launch_method(choose_launch_method(options, hosts)),
      binding(choose_binding(options, program, pthreads, processes, launch_method)) {
  if (const char* rsh = ::secure_getenv("UPCRUN_RSH"); options.rsh.empty() && rsh != nullptr)
    options.rsh = rsh;
  // mpirun of a distribution knows ssh and srun alone.
  if (launch_method == LaunchMethod::kMpirun && options.rsh.empty() &&
      options.allocation.system == BatchSystem::kLsf && is_in_path("blaunch"))
    options.rsh = "blaunch";
}

std::string Plan::warning() const {
  const Allocation& allocation = options.allocation;
  const bool single_host = !remote() && options.host_processes == 0 && !options.local_only;
  if (single_host && allocation.hosts.empty() && hosts.empty() && options.host_count > 1 && !options.gasnet)
    return "-N " + std::to_string(options.host_count) +
           " has no effect: no hosts are named, so all processes run on this one; name hosts by -H, --hostfile or "
           "UPC_NODES, with --conduit ibv, ofi or mpi";
  if (remote() || allocation.hosts.empty() || options.local_only || options.host_processes != 0 ||
      std::any_of(allocation.hosts.begin(), allocation.hosts.end(),
                  [](const Host& host) { return is_this_host(host.name); }))
    return {};
  return "all " + std::to_string(processes) + " processes run on this host, which is not one of " +
         allocation.describe() + " (" + allocation.hosts.front().name +
         (allocation.hosts.size() > 1 ? ", ..." : "") +
         "); without UPCR_CONDUIT and --conduit, or with the conduit ibv, ofi or mpi, they run on those; "
         "--localhost says that this host is meant";
}

bool Plan::single(unsigned rank) const { return pthreads == 1 || rank * pthreads + 1 == options.threads; }

std::string Plan::thread_range(unsigned rank) const {
  const unsigned first = rank * pthreads, last = std::min(options.threads, first + pthreads) - 1;
  return single(rank) ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

std::string Plan::threads_of(unsigned rank) const {
  return (single(rank) ? "UPC thread " : "UPC threads ") + thread_range(rank);
}

}  // namespace upcrun
