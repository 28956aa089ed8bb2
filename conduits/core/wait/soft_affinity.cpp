// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/wait/soft_affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/system/ticks.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_KEEP_TOGETHER", ConfigType::kBool, "yes",
     "where there are more UPC threads than CPUs, those of a process prefer the same CPUs (nothing is "
     "pinned)"},
};
ConfigTable table("home", kVars);

// The time before a thread returns to its CPU doubles each time that the kernel moves it away again; it is
// reset when the thread has stayed for kResetFactor times as long.
constexpr std::uint64_t kShortestNs = 2'000'000, kLongestNs = 16'000'000, kResetFactor = 8;

std::vector<int> preferred_cpus;  // of this process's threads; written before they run
Slot first_slot = 0;
thread_local std::uint64_t moved_at_ns = 0, min_stay_ns = kShortestNs;

// The n-th CPU of the set.
int nth_cpu(const cpu_set_t& set, unsigned n) noexcept {
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set) && n-- == 0) return cpu;
  return -1;
}

// Restricts the thread to `cpu`, so that the kernel moves it, and restores its mask. If another thread
// changes this thread's mask at the same time, that change is lost. The mask is set to all CPUs first: for a
// thread without restrictions that restores it, and the thread may use CPUs that the machine or its cpuset
// gains later.
void move_to(int cpu) noexcept {
  cpu_set_t allowed, home, all, now;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !CPU_ISSET(cpu, &allowed)) return;
  CPU_ZERO(&home);
  CPU_SET(cpu, &home);
  std::memset(&all, 0xff, sizeof all);
  if (::sched_setaffinity(0, sizeof home, &home) != 0) return;
  (void)::sched_setaffinity(0, sizeof all, &all);
  if (::sched_getaffinity(0, sizeof now, &now) != 0 || !CPU_EQUAL(&now, &allowed))
    (void)::sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace

void choose_preferred_cpus(const Topology& t, std::uint64_t place, std::uint64_t threads) noexcept {
  preferred_cpus.clear();
  if (!config_bool("UPCR_KEEP_TOGETHER")) return;
  first_slot = t.my_first_slot();
  cpu_set_t set;
  if (t.my_slots() < 2 || threads == 0 || ::sched_getaffinity(0, sizeof set, &set) != 0) return;
  const auto cpus = static_cast<unsigned>(CPU_COUNT(&set));
  for (Slot i = 0; i < t.my_slots(); ++i)
    preferred_cpus.push_back(nth_cpu(set, preferred_cpu_of(place + i, threads, cpus)));
}

void return_to_preferred_cpu(Slot slot) noexcept {
  if (slot - first_slot >= preferred_cpus.size()) return;
  const int home = preferred_cpus[slot - first_slot];
  if (::sched_getcpu() == home) return;
  const std::uint64_t now = ticks_now(), since = now - moved_at_ns;
  if (since < min_stay_ns) return;
  min_stay_ns = since > kResetFactor * min_stay_ns ? kShortestNs : std::min(2 * min_stay_ns, kLongestNs);
  moved_at_ns = now;
  move_to(home);
}

}  // namespace upcr
