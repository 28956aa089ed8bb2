// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/startup/startup.hpp"

#include <unistd.h>

#include <algorithm>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/bootstrap/launcher/make_bootstrap.hpp"
#include "conduits/core/checksum/packet_check.hpp"
#include "conduits/core/checksum/packet_sums.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/memory/segment_spread.hpp"
#include "conduits/core/startup/error_reporter.hpp"
#include "conduits/core/startup/hosts.hpp"
#include "conduits/core/transport/registry.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_CONDUIT", ConfigType::kString, nullptr,
     "network to use: smp, mpi, ibv or ofi; unset: smp where the job is on one host, else the first that every "
     "process can use: ibv with an RDMA device (not one in software) and locked memory, ofi with a provider of "
     "libfabric's for the network, mpi where mpirun or srun has started the job, ofi over TCP"},
    {"UPCR_PSHM", ConfigType::kBool, "yes",
     "processes of a host reach each other's shared memory directly; no: through the conduit's messages"},
    {"UPCR_PROGRESS_THREAD", ConfigType::kBool, "no",
     "a thread of each process serves its peers while the program computes; the default is the program's"},
};
ConfigTable table("core", kVars);
LogComponent log_job("job");
LogComponent log_network("network");

// Whether UPCR_FREEZE concerns this process: UPCR_FREEZE_THREAD may name a UPC thread of another one.
bool freezes_here(Rank rank) {
  return !config_is_set("UPCR_FREEZE_THREAD") ||
         config_int("UPCR_FREEZE_THREAD") / static_cast<std::int64_t>(job_shape().pthreads) ==
             static_cast<std::int64_t>(rank);
}

void set_wait_policy(Job& j, bool network_bell) {
  const Caps& caps = j.conduit->caps();
  j.progress.set_policy({!caps.shares_memory_only, !j.oversubscribed, j.topology.host_size == j.topology.size,
                         network_bell, j.processes_fit, caps.poll_yields, j.threads_per_cpu});
}

void start_network_bell(Job& j) {
  const int fd = j.conduit->caps().shares_memory_only ? -1 : j.conduit->wait_fd();
  const auto ring = [](void* job) { static_cast<const Job*>(job)->wake_threads(); };
  if (fd >= 0) j.progress.network_bell().start(fd, ring, &j);
  set_wait_policy(j, fd >= 0);
}

}  // namespace

void start_job(Job& j, const StartOptions& options) {
  configure();
  // Before the bootstrap's thread exists: with several threads the kernel waits for a grace period, some 10
  // ms.
  register_sleeper_process();
  const bool chosen = options.conduit != nullptr && !is_default_for_one_host(options.conduit);
  j.bootstrap =
      make_bootstrap(options.argc, options.argv, options.processes, chosen ? options.conduit : nullptr);
  j.topology.rank = j.bootstrap->rank();
  j.topology.size = j.bootstrap->size();
  set_log_rank(static_cast<int>(j.topology.rank), static_cast<int>(j.topology.size));
  report_errors_once(j.bootstrap->job_id(), j.topology);
  check_config(j.topology.rank == 0);
  if (freezes_here(j.topology.rank)) freeze_if_requested();
  j.bypass = config_bool("UPCR_PSHM");
  find_neighbours(*j.bootstrap, j.bypass, &j.topology);
  start_packet_check(packet_sums_requested(), j.topology.rank);
  j.separate_machine_memory = machine_exceeds_window_group(j.bypass);
}

const char* choose_conduit(Job& j, const char* name) {
  if (config_is_set("UPCR_CONDUIT")) name = config_string("UPCR_CONDUIT");
  // The user has chosen none. A client's conduit for one host is the default of its headers, not a choice
  // against several hosts.
  const bool open = name == nullptr || (!config_is_set("UPCR_CONDUIT") && is_default_for_one_host(name));
  const bool one_host = j.topology.machine_size == j.topology.size;
  return open ? suitable_conduit(*j.bootstrap, one_host) : name;
}

void load_conduit(Job& j, const char* name) { j.conduit = make_conduit(name); }

void attach_job(Job& j, const AttachOptions& options) {
  const bool wants_progress_thread =
      config_is_set("UPCR_PROGRESS_THREAD") ? config_bool("UPCR_PROGRESS_THREAD") : options.progress_thread;
  const bool progress_thread = wants_progress_thread && !options.one_thread_only;
  j.multithreaded = options.multithreaded || progress_thread;
  j.everything = options.everything;
  number_slots(*j.bootstrap, options.slots_here, &j.topology);
  const Oversubscription oversubscription = find_oversubscription(*j.bootstrap, j.topology);
  j.oversubscribed = oversubscription.oversubscribed;
  j.processes_fit = oversubscription.processes_fit;
  j.threads_per_cpu = oversubscription.threads_per_cpu;
  j.progress.affinity().choose(j.topology, oversubscription.first_index,
                               oversubscription.oversubscribed ? oversubscription.threads : 0);
  if (j.conduit == nullptr) load_conduit(j, choose_conduit(j, nullptr));

  j.doorbells.plan(j.machine_memory(), j.topology);
  j.conduit->plan(j.machine_memory(), j.topology);
  j.barrier.plan(j.memory_file, j.topology);
  j.atomics.plan(j.memory_file);
  j.segments.bytes = options.segment_bytes;
  if (options.plan != nullptr) options.plan(j);
  const Topology& t = j.topology;
  const std::size_t distance =
      choose_segment_distance(t, j.threads_per_cpu, options.segment_bytes, options.stride_bits);
  j.memory_file.create(*j.bootstrap, t, t.window_group_first, t.window_group_size,
                       t.window_group_slots() * distance);
  if (j.separate_machine_memory)
    j.machine_memory_file.create(*j.bootstrap, t, t.machine_first, t.machine_size, 0);

  j.doorbells.attach(j.machine_memory());
  if (symmetric_bells_pay(j.threads_per_cpu)) j.doorbells.make_symmetric(j.topology);
  j.segments = map_segments(*j.bootstrap, j.topology, j.memory_file, options.segment_bytes,
                            options.null_bytes, options.stride_bits);
  const AttachInfo info{*j.bootstrap, j.topology,      j.segments,   j.machine_memory(),
                        j.doorbells,  j.multithreaded, j.everything, j.oversubscribed};
  if (j.conduit->attach(info) != Status::kOk) fatal("conduit %s could not be attached", j.conduit->name());
  if (packet_sums() && !j.conduit->caps().checksums)
    fatal(
        "UPCR_CHECKSUM=yes, but packets of conduit %s carry no checksums: unset it, or choose another conduit",
        j.conduit->name());
  j.make_engine();
  j.vis.attach(*j.engine, j.rma, *j.conduit, t, j.segments, j.everything, j.access_guard());
  j.deferred_requests.attach(*j.engine, j.progress, j.rma, t, j.segments);
  j.atomics.attach(*j.conduit, *j.engine, j.progress, j.memory_file, t, j.segments);
  j.barrier.attach(*j.bootstrap, j.memory_file, t, j.doorbells, *j.engine, j.progress, !j.oversubscribed);
  start_network_bell(j);
  UPCR_LOG(log_job, kInfo, "conduit %s, %u processes, %u slots, %u mapped here, %zu bytes each",
           j.conduit->name(), j.topology.size, j.topology.slots(), j.topology.window_group_slots(),
           options.segment_bytes);
  if (j.topology.rank == 0) UPCR_LOG(log_network, kInfo, "%s", j.conduit->describe().c_str());
  if (options.ready != nullptr) options.ready(j);
  j.engine->close_registration();
  j.bootstrap->barrier();  // no process sends before all can receive
  j.attached = true;
  if (progress_thread) j.progress_thread.start(j.progress, t.my_first_slot());
}

void end_job(Job& j) {
  if (j.attached) {
    j.progress_thread.stop(j.doorbells);
    j.progress.network_bell().stop();
    set_wait_policy(j, false);
    if (j.conduit->detach() != Status::kOk) warn("conduit %s did not end cleanly", j.conduit->name());
    check_strays(j.memory_file, j.topology, j.segments);
    j.attached = false;
  }
  j.bootstrap->finalize();
}

std::size_t max_local_segment(const Job& j, Slot slots_here) {
  // A twelfth remains for the private memory of the program and the runtime, page tables included.
  const std::uint64_t usable = available_memory() / 12 * 11;
  const std::uint64_t each =
      usable / (std::uint64_t{j.topology.machine_ranks} * std::max<Slot>(slots_here, 1));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return each / page * page;
}

std::size_t max_global_segment(Job& j, Slot slots_here) {
  const std::uint64_t mine = max_local_segment(j, slots_here);
  std::vector<std::uint64_t> all(j.topology.size);
  j.bootstrap->allgather(&mine, sizeof mine, all.data());
  return *std::min_element(all.begin(), all.end());
}

}  // namespace upcr
