// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/startup/hosts.hpp"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/checksum/packet_check.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_NODE_SIZE", ConfigType::kInt, "0",
     "pretend that a host holds this many processes (direct access ends there); 0: as it is", "0..1048576",
     "GASNET_SUPERNODE_MAXSIZE"},
};
ConfigTable table("hosts", kVars);
LogComponent log_hosts("hosts");

std::uint64_t hash(std::uint64_t h, const void* data, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) h = (h ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3u;
  return h;
}

// Equal exactly for processes of one kernel, which share its CPUs.
std::uint64_t kernel_id() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return hash(0xcbf29ce484222325u, boot.data(), boot.size());
}

// Equal exactly for processes that can hand each other a file by an abstract socket: one kernel, one
// network namespace.
std::uint64_t machine_id() {
  std::uint64_t h = kernel_id();
  struct stat net {};
  if (::stat("/proc/self/ns/net", &net) == 0) h = hash(h, &net.st_ino, sizeof net.st_ino);
  char name[256] = {};
  (void)::gethostname(name, sizeof name - 1);
  return hash(h, name, std::strlen(name));
}

// The data of a rank that all others need. The settings are compared: if a launcher passed the environment to
// some ranks only, groups would overlap.
struct ProcessInfo {
  std::uint64_t machine;
  std::uint32_t node_size;
  std::uint16_t bypass;
  std::uint16_t sums;  // on packets
};

void check_settings(std::span<const ProcessInfo> all, Rank me) {
  for (const ProcessInfo& c : all) {
    if (c.sums != all[me].sums)
      fatal_setting(
          "rank %u sends packets %s checksums, rank %zu %s: give all ranks the same UPCR_CHECKSUM "
          "(mpirun -x UPCR_CHECKSUM, or start the job with upcrun), and link all of them with the debug library, "
          "which alone has it",
          me, all[me].sums != 0 ? "with" : "without", &c - all.data(), c.sums != 0 ? "with" : "without");
    if (c.node_size == all[me].node_size && c.bypass == all[me].bypass) continue;
    fatal_setting(
        "rank %u has UPCR_NODE_SIZE=%u and UPCR_PSHM=%s, rank %zu has %u and %s; give all ranks the same "
        "environment (mpirun -x NAME, or start the job with upcrun)",
        me, all[me].node_size, all[me].bypass != 0 ? "yes" : "no", &c - all.data(), c.node_size,
        c.bypass != 0 ? "yes" : "no");
  }
}

// Logs the groups, and the ranks of this machine that the launcher's distribution excludes from them.
void log_groups(std::span<const ProcessInfo> all, const Topology& t) {
  UPCR_LOG(log_hosts, kInfo, "machine: ranks %u to %u of %u; host: %u to %u; memory shared with %u to %u",
           t.machine_first, t.machine_first + t.machine_size - 1, t.size, t.host_first,
           t.host_first + t.host_size - 1, t.window_group_first,
           t.window_group_first + t.window_group_size - 1);
  if (t.machine_ranks == t.machine_size) return;
  std::string elsewhere;
  unsigned named = 0;
  for (Rank r = 0; r < t.size && named < 8; ++r) {
    if (all[r].machine != all[t.rank].machine || t.on_my_machine(r)) continue;
    elsewhere += (named++ == 0 ? "" : ", ") + std::to_string(r);
  }
  UPCR_LOG(log_hosts, kInfo,
           "%u of this machine's %u ranks have numbers that do not follow on (%s%s): they are reached by the "
           "network; let the launcher deal ranks in blocks (mpirun --map-by slot, srun --distribution=block) "
           "to share memory with them",
           t.machine_ranks - t.machine_size, t.machine_ranks, elsewhere.c_str(),
           named < t.machine_ranks - t.machine_size ? ", ..." : "");
}

// The CPUs that this process may use: their number, and a hash of the set.
struct AllowedCpus {
  std::uint32_t count = 1, hash = 0;
};
AllowedCpus allowed_cpus() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {};
  AllowedCpus cpus{static_cast<std::uint32_t>(CPU_COUNT(&set)), 0};
  for (std::uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.hash = (cpus.hash ^ (cpu + 1)) * 16777619u;
  return cpus;
}

}  // namespace

void find_neighbours(Bootstrap& bootstrap, bool bypass, Topology* topology) {
  Topology& t = *topology;
  const ProcessInfo mine{machine_id(), static_cast<std::uint32_t>(config_int("UPCR_NODE_SIZE")),
                         bypass ? std::uint16_t{1} : std::uint16_t{0},
                         packet_sums_requested() ? std::uint16_t{1} : std::uint16_t{0}};
  const Table table = bootstrap.gather(&mine, sizeof mine);
  const auto all = table.of<ProcessInfo>();
  check_settings(all, t.rank);

  const auto same_machine = [&](Rank r) { return all[r].machine == mine.machine; };
  Rank first = t.rank, last = t.rank;
  while (first > 0 && same_machine(first - 1)) --first;
  while (last + 1 < t.size && same_machine(last + 1)) ++last;
  t.machine_first = first;
  t.machine_size = last - first + 1;
  t.machine_ranks = 0;
  t.host_name = t.size;
  for (Rank r = 0; r < t.size; ++r) {
    if (!same_machine(r)) continue;
    ++t.machine_ranks;
    t.host_name = std::min(t.host_name, r);
  }

  t.host_first = t.machine_first;
  t.host_size = t.machine_size;
  if (mine.node_size != 0) {
    t.host_first += (t.rank - t.machine_first) / mine.node_size * mine.node_size;
    t.host_size = std::min<Rank>(mine.node_size, t.machine_first + t.machine_size - t.host_first);
    t.host_name = t.host_first;
  }
  t.window_group_first = bypass ? t.host_first : t.rank;
  t.window_group_size = bypass ? t.host_size : 1;
  log_groups(all, t);
}

void number_slots(Bootstrap& bootstrap, Slot slots_here, Topology* topology) {
  Topology& t = *topology;
  const Table table = bootstrap.gather(&slots_here, sizeof slots_here);
  const auto counts = table.of<Slot>();
  Slot total = 0;
  bool regular = true;  // all have as many as the first, but for the last, which has at most as many
  for (Rank r = 0; r < t.size; ++r) {
    total += counts[r];
    regular = regular && (r + 1 < t.size ? counts[r] == counts[0] : counts[r] <= counts[0]);
  }
  if (regular && counts[0] != 0) {
    t.first_slot = FirstSlots::regular(counts[0], total);
    t.rank_of = RankOfSlot::regular(counts[0]);
    return;
  }
  std::vector<Slot> first(1, 0);
  std::vector<Rank> ranks;
  first.reserve(std::size_t{t.size} + 1);
  ranks.reserve(total);
  for (Rank r = 0; r < t.size; ++r) {
    first.push_back(first.back() + counts[r]);
    ranks.insert(ranks.end(), counts[r], r);
  }
  t.first_slot = FirstSlots(std::move(first));
  t.rank_of = RankOfSlot(std::move(ranks));
}

// Pinned processes see one CPU each: the number of CPUs of the machine is the sum over its processes, or that
// of one process if all may use the same CPUs; sets that overlap otherwise are not examined, and the sum is
// used. Computed from the values of all processes, so that all processes of a machine get the same result,
// also if only some of them are pinned: collectives choose their algorithms by it.
Oversubscription find_oversubscription(Bootstrap& bootstrap, const Topology& t) {
  struct CpuInfo {
    std::uint64_t kernel;  // containers of one machine may seem to be machines, but share CPUs
    std::uint32_t cpus, cpus_hash, online, slots;
  };
  const AllowedCpus allowed = allowed_cpus();
  const CpuInfo mine{kernel_id(), allowed.count, allowed.hash,
                     static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN)), t.my_slots()};
  const Table table = bootstrap.gather(&mine, sizeof mine);
  const auto all = table.of<CpuInfo>();
  std::uint64_t processes = 0, slots = 0, first_index = 0, sum = 0, most = 0, online = 0;
  bool same = true;
  for (Rank r = 0; r < t.size; ++r) {
    const CpuInfo& s = all[r];
    if (s.kernel != mine.kernel) continue;
    if (r == t.rank) first_index = slots;
    ++processes;
    slots += s.slots;
    sum += s.cpus;
    most = std::max<std::uint64_t>(most, s.cpus);
    online = std::max<std::uint64_t>(online, s.online);
    same = same && s.cpus_hash == mine.cpus_hash;
  }
  const bool pinned = most < online;
  const std::uint64_t cpus = pinned && !same ? std::min(sum, online) : most;
  const auto threads_per_cpu = static_cast<std::uint32_t>(slots / std::max<std::uint64_t>(cpus, 1));
  return {slots > cpus, processes <= cpus, std::max(threads_per_cpu, 1u), same ? slots : 0, first_index};
}

bool machine_exceeds_window_group(bool bypass) { return !bypass || config_int("UPCR_NODE_SIZE") != 0; }

}  // namespace upcr
