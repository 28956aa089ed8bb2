// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/startup/startup.hpp"
#include "conduits/core/bootstrap/launcher/make_bootstrap.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/checksum/packet_check.hpp"
#include "conduits/core/checksum/packet_sums.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_thread.hpp"
#include "conduits/core/rma/atomic.hpp"
#include "conduits/core/rma/deferred_requests.hpp"
#include "conduits/core/rma/rma_over_am.hpp"
#include "conduits/core/startup/error_reporter.hpp"
#include "conduits/core/startup/hosts.hpp"
#include "conduits/core/transport/registry.hpp"
#include "conduits/core/vis/vis.hpp"
#include "conduits/core/wait/network_bell.hpp"
#include "conduits/core/wait/soft_affinity.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_CONDUIT", ConfigType::kString, nullptr,
     "network to use: smp, mpi or ibv; unset: smp where the job is on one host, else ibv where every process "
     "finds an RDMA device (not one in software) and may lock memory for it, else mpi"},
    {"UPCR_PSHM", ConfigType::kBool, "yes",
     "processes of a host reach each other's shared memory directly; no: through the conduit's messages"},
    {"UPCR_PROGRESS_THREAD", ConfigType::kBool, "no",
     "a thread of each process serves its peers while the program computes; the default is the program's"},
};
ConfigTable table("core", kVars);
LogComponent log_job("job");
LogComponent log_network("network");

bool in_my_segments(void* context, std::uint64_t address, std::size_t n) {
  const Job& j = *static_cast<const Job*>(context);
  return j.segments.mine(j.topology, address, n);
}

bool anywhere(void*, std::uint64_t, std::size_t) { return true; }

// Long data for a neighbour whose segment is mapped here is stored directly.
void* mapped_here(void* context, Rank rank, std::uint64_t address, std::size_t n) {
  const Job& j = *static_cast<const Job*>(context);
  for (Slot s = j.topology.first_slot[rank]; s < j.topology.first_slot[rank + 1]; ++s) {
    const std::uint64_t offset = address - j.segments.remote[s];
    if (j.segments.mapped[s] != 0 && j.segments.holds(offset, n))
      return reinterpret_cast<void*>(j.segments.mapped[s] + offset);
  }
  return nullptr;
}

void wake_threads(void* context) {
  const Job& j = *static_cast<const Job*>(context);
  j.doorbells.ring_process(j.topology, j.topology.rank);
}

std::unique_ptr<AmEngine> make_engine(Job& j, bool everything) {
  const auto reachable = everything ? anywhere : in_my_segments;
  AmEngine::Config config;
  config.rank = j.topology.rank;
  config.size = j.topology.size;
  config.multithreaded = j.multithreaded;
  config.writable = reachable;
  // With sums all data is in packets: stored directly it would be there before its packet is checked.
  config.mapped = packet_sums() ? nullptr : mapped_here;
  config.on_handlers_run = wake_threads;
  config.context = &j;
  auto engine = std::make_unique<AmEngine>(*j.conduit, config);
  register_rma_handlers(*engine, reachable, &j);
  vis_attach(*engine, reachable, &j);
  return engine;
}

void choose_waiting(const Job& j, bool bell) {
  const Caps& caps = j.conduit->caps();
  set_wait_policy({!caps.shares_memory_only, !j.oversubscribed, j.topology.host_size == j.topology.size, bell,
                   j.processes_fit, caps.poll_yields});
}

void start_bell(Job& j) {
  const int fd = j.conduit->caps().shares_memory_only ? -1 : j.conduit->wait_fd();
  if (fd >= 0) start_network_bell(fd, [] { wake_threads(&job()); });
  choose_waiting(j, fd >= 0);
}

}  // namespace

void start_job(const StartOptions& options) {
  Job& j = job();
  configure();
  // Before the bootstrap's thread exists: with several threads the kernel waits for a grace period, some 10
  // ms.
  register_sleeper_process();
  j.bootstrap = make_bootstrap(options.argc, options.argv, options.processes);
  j.topology.rank = j.bootstrap->rank();
  j.topology.size = j.bootstrap->size();
  set_log_rank(static_cast<int>(j.topology.rank), static_cast<int>(j.topology.size));
  report_errors_once(j.bootstrap->job_id(), j.topology);
  check_config(j.topology.rank == 0);
  freeze_if_requested();
  j.bypass = config_bool("UPCR_PSHM");
  find_neighbours(*j.bootstrap, j.bypass, &j.topology);
  start_packet_check(packet_sums_requested(), j.topology.rank);
  j.separate_machine_memory = machine_exceeds_window_group(j.bypass);
}

const char* choose_conduit(const char* name) {
  Job& j = job();
  if (config_is_set("UPCR_CONDUIT")) name = config_string("UPCR_CONDUIT");
  // Nobody's choice; "smp" of a client is the default of its headers, and no reason to refuse several hosts.
  const bool open = name == nullptr || (!config_is_set("UPCR_CONDUIT") && std::strcmp(name, "smp") == 0);
  const bool one_host = j.topology.machine_size == j.topology.size;
  return open ? suitable_conduit(*j.bootstrap, one_host) : name;
}

void load_conduit(const char* name) { job().conduit = make_conduit(name); }

void attach_job(const AttachOptions& options) {
  Job& j = job();
  const bool wants_progress_thread =
      config_is_set("UPCR_PROGRESS_THREAD") ? config_bool("UPCR_PROGRESS_THREAD") : options.progress_thread;
  const bool progress_thread = wants_progress_thread && !options.one_thread_only;
  j.multithreaded = options.multithreaded || progress_thread;
  j.everything = options.everything;
  number_slots(*j.bootstrap, options.slots_here, &j.topology);
  const Oversubscription crowding = find_oversubscription(*j.bootstrap, j.topology);
  j.oversubscribed = crowding.oversubscribed;
  j.processes_fit = crowding.processes_fit;
  choose_preferred_cpus(j.topology, crowding.place, crowding.oversubscribed ? crowding.threads : 0);
  if (j.conduit == nullptr) load_conduit(choose_conduit(nullptr));

  j.doorbells.plan(j.machine_memory(), j.topology);
  j.conduit->plan(j.machine_memory(), j.topology);
  plan_barrier(j);
  plan_atomics(j);
  j.segments.bytes = options.segment_bytes;
  if (options.plan != nullptr) options.plan(j);
  const Topology& t = j.topology;
  j.memory_file.create(*j.bootstrap, t, t.window_group_first, t.window_group_size,
                       t.window_group_slots() * options.segment_bytes);
  if (j.separate_machine_memory)
    j.machine_memory_file.create(*j.bootstrap, t, t.machine_first, t.machine_size, 0);

  j.doorbells.attach(j.machine_memory());
  j.segments = map_segments(*j.bootstrap, j.topology, j.memory_file, options.segment_bytes,
                            options.null_bytes, options.stride_bits);
  const AttachInfo info{*j.bootstrap, j.topology, j.machine_memory(), j.multithreaded};
  if (j.conduit->attach(info) != Status::kOk) fatal("conduit %s could not be attached", j.conduit->name());
  if (packet_sums() && !j.conduit->caps().checksums)
    fatal(
        "UPCR_CHECKSUM=yes, but packets of conduit %s carry no checksums: unset it, or choose another conduit",
        j.conduit->name());
  j.engine = make_engine(j, options.everything);
  attach_deferred_requests(j);
  attach_atomics(j);
  attach_barrier(j);
  start_bell(j);
  UPCR_LOG(log_job, kInfo, "conduit %s, %u processes, %u slots, %u mapped here, %zu bytes each",
           j.conduit->name(), j.topology.size, j.topology.slots(), j.topology.window_group_slots(),
           options.segment_bytes);
  if (j.topology.rank == 0) UPCR_LOG(log_network, kInfo, "%s", j.conduit->describe().c_str());
  if (options.ready != nullptr) options.ready(j);
  j.bootstrap->barrier();  // nobody sends before everybody can receive
  j.attached = true;
  explain_refusals_by(&j.topology, &j.segments);
  if (progress_thread) start_progress_thread();
}

void end_job() {
  Job& j = job();
  if (j.attached) {
    stop_progress_thread();
    stop_network_bell();
    choose_waiting(j, false);
    if (j.conduit->detach() != Status::kOk) warn("conduit %s did not end cleanly", j.conduit->name());
    explain_refusals_by(nullptr, nullptr);
    j.attached = false;
  }
  j.bootstrap->finalize();
}

std::size_t max_local_segment(Slot slots_here) {
  const Job& j = job();
  // A twelfth stays for the program's private memory and the runtime's own, page tables among it.
  const std::uint64_t usable = available_memory() / 12 * 11;
  const std::uint64_t each =
      usable / (std::uint64_t{j.topology.machine_ranks} * std::max<Slot>(slots_here, 1));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return each / page * page;
}

std::size_t max_global_segment(Slot slots_here) {
  Job& j = job();
  const std::uint64_t mine = max_local_segment(slots_here);
  std::vector<std::uint64_t> all(j.topology.size);
  j.bootstrap->allgather(&mine, sizeof mine, all.data());
  return *std::min_element(all.begin(), all.end());
}

}  // namespace upcr
