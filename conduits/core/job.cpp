// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/job.hpp"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "conduits/base/config.hpp"
#include "conduits/base/log.hpp"
#include "conduits/base/report.hpp"
#include "conduits/core/atomic.hpp"
#include "conduits/core/barrier.hpp"
#include "conduits/core/errands.hpp"
#include "conduits/core/progress.hpp"
#include "conduits/core/progress_thread.hpp"
#include "conduits/core/registry.hpp"
#include "conduits/core/rma_over_am.hpp"
#include "conduits/core/vis/vis.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_CONDUIT", ConfigType::kString, "smp", "network to use: smp, mpi or ibv"},
    {"UPCR_PSHM", ConfigType::kBool, "yes",
     "processes of a host reach each other's shared memory directly; no: through the conduit's messages"},
    {"UPCR_NODE_SIZE", ConfigType::kInt, "0",
     "pretend that a host holds this many processes (direct access ends there); 0: as it is", "0..1048576",
     "GASNET_SUPERNODE_MAXSIZE"},
    {"UPCR_PROGRESS_THREAD", ConfigType::kBool, "no",
     "a thread of each process serves its peers while the program computes"},
};
ConfigTable table("core", kVars);
LogComponent log_job("job");

std::uint64_t hash(std::uint64_t h, const void* data, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) h = (h ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3u;
  return h;
}

// Equal exactly for processes that can hand each other a file by an abstract socket: one kernel, one
// network namespace.
std::uint64_t host_id() {
  std::uint64_t h = 0xcbf29ce484222325u;
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  h = hash(h, boot.data(), boot.size());
  struct stat net {};
  if (::stat("/proc/self/ns/net", &net) == 0) h = hash(h, &net.st_ino, sizeof net.st_ino);
  char name[256] = {};
  (void)::gethostname(name, sizeof name - 1);
  return hash(h, name, std::strlen(name));
}

// The run of consecutive ranks around mine that share my host.
void find_host(Job& j) {
  Topology& t = j.topology;
  const std::uint64_t mine = host_id();
  std::vector<std::uint64_t> all(t.size);
  j.bootstrap->allgather(&mine, sizeof mine, all.data());
  Rank first = t.rank, last = t.rank;
  while (first > 0 && all[first - 1] == mine) --first;
  while (last + 1 < t.size && all[last + 1] == mine) ++last;
  t.host_first = first;
  t.host_size = last - first + 1;
}

void find_window(Job& j) {
  Topology& t = j.topology;
  const Rank most = j.bypass ? t.host_size : 1;
  const auto asked = static_cast<Rank>(config_int("UPCR_NODE_SIZE"));
  const Rank size = asked == 0 ? most : std::min(most, asked);
  t.window_first = t.host_first + (t.rank - t.host_first) / size * size;
  t.window_size = std::min(size, t.host_first + t.host_size - t.window_first);
}

void number_slots(Job& j, Slot slots_here) {
  Topology& t = j.topology;
  std::vector<Slot> counts(t.size);
  j.bootstrap->allgather(&slots_here, sizeof slots_here, counts.data());
  t.first_slot.assign(1, 0);
  t.rank_of.clear();
  for (Rank r = 0; r < t.size; ++r) {
    t.first_slot.push_back(t.first_slot.back() + counts[r]);
    t.rank_of.insert(t.rank_of.end(), counts[r], r);
  }
}

Slot host_slots(const Topology& t) {
  return t.first_slot[t.host_first + t.host_size] - t.first_slot[t.host_first];
}

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
    if (j.segments.mapped[s] != 0 && offset <= j.segments.bytes && n <= j.segments.bytes - offset)
      return reinterpret_cast<void*>(j.segments.mapped[s] + offset);
  }
  return nullptr;
}

void wake_threads(void* context) {
  const Job& j = *static_cast<const Job*>(context);
  j.doorbells.ring_process(j.topology, j.topology.rank);
}

int allowed_cpus() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

// Pinned processes see one CPU each: the host's supply is the sum of what its processes may use, or the
// union when they all may use the same; counting distinct masks is not worth it, the larger estimate serves.
void judge_load(Job& j) {
  const Topology& t = j.topology;
  const int mine = allowed_cpus();
  std::vector<int> all(t.size);
  j.bootstrap->allgather(&mine, sizeof mine, all.data());
  const bool pinned = mine < static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  int cpus = mine;
  if (pinned) {
    cpus = 0;
    for (Rank r = t.host_first; r < t.host_first + t.host_size; ++r) cpus += all[r];
    cpus = std::min(cpus, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
  }
  j.oversubscribed = static_cast<int>(host_slots(t)) > cpus;
}

std::unique_ptr<AmEngine> make_engine(Job& j, bool everything) {
  const auto reachable = everything ? anywhere : in_my_segments;
  AmEngine::Config config;
  config.rank = j.topology.rank;
  config.size = j.topology.size;
  config.multithreaded = j.multithreaded;
  config.writable = reachable;
  config.mapped = mapped_here;
  config.took = wake_threads;
  config.context = &j;
  auto engine = std::make_unique<AmEngine>(*j.conduit, config);
  register_rma_handlers(*engine, reachable, &j);
  vis_attach(*engine, reachable, &j);
  return engine;
}

}  // namespace

Job& job() noexcept {
  static Job* const the_job = new Job;  // never destroyed: threads may outlive main
  return *the_job;
}

void start_job(const StartOptions& options) {
  Job& j = job();
  configure();
  j.bootstrap = make_bootstrap(options.argc, options.argv, options.processes);
  j.topology.rank = j.bootstrap->rank();
  j.topology.size = j.bootstrap->size();
  set_log_rank(static_cast<int>(j.topology.rank), static_cast<int>(j.topology.size));
  check_config(j.topology.rank == 0);
  freeze_if_asked();
  j.bypass = config_bool("UPCR_PSHM");
  find_host(j);
  find_window(j);
  register_sleeper_process();
}

void choose_conduit(const char* name) {
  const bool by_user = name == nullptr || config_is_set("UPCR_CONDUIT");
  job().conduit = make_conduit(by_user ? config_string("UPCR_CONDUIT") : name);
}

void attach_job(const AttachOptions& options) {
  Job& j = job();
  const bool progress_thread =
      !options.one_thread_only && (options.progress_thread || config_bool("UPCR_PROGRESS_THREAD"));
  j.multithreaded = options.multithreaded || progress_thread;
  j.everything = options.everything;
  number_slots(j, options.slots_here);
  judge_load(j);
  if (j.conduit == nullptr) choose_conduit(nullptr);

  j.doorbells.plan(j.node_memory, j.topology);
  j.conduit->plan(j.node_memory, j.topology);
  plan_barrier(j);
  plan_atomics(j);
  j.segments.bytes = options.segment_bytes;
  if (options.plan != nullptr) options.plan(j);
  j.node_memory.create(*j.bootstrap, j.topology, host_slots(j.topology) * options.segment_bytes);

  j.doorbells.attach(j.node_memory);
  j.segments =
      map_segments(*j.bootstrap, j.topology, j.node_memory, options.segment_bytes, options.stride_bits);
  const AttachInfo info{*j.bootstrap, j.topology, j.node_memory, j.multithreaded};
  if (j.conduit->attach(info) != Status::kOk) fatal("conduit %s could not be attached", j.conduit->name());
  j.engine = make_engine(j, options.everything);
  attach_errands(j);
  attach_atomics(j);
  attach_barrier(j);
  UPCR_LOG(log_job, kInfo, "conduit %s, %u processes, %u slots, %u mapped here, %zu bytes each",
           j.conduit->name(), j.topology.size, j.topology.slots(), j.topology.window_slots(),
           options.segment_bytes);
  if (options.ready != nullptr) options.ready(j);
  j.bootstrap->barrier();  // nobody sends before everybody can receive
  j.attached = true;
  if (progress_thread) start_progress_thread();
}

void end_job() {
  Job& j = job();
  if (j.attached) {
    stop_progress_thread();
    if (j.conduit->detach() != Status::kOk) warn("conduit %s did not end cleanly", j.conduit->name());
    j.attached = false;
  }
  j.bootstrap->finalize();
}

std::size_t max_local_segment(Slot slots_here) {
  const Job& j = job();
  // A part stays for the program's private memory and the runtime's own.
  const std::uint64_t usable = available_memory() / 10 * 9;
  const std::uint64_t each = usable / (std::uint64_t{j.topology.host_size} * std::max<Slot>(slots_here, 1));
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
