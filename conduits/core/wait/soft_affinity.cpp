// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/wait/soft_affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

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

// Of the thread, for all jobs.
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
  cpu_set_t allowed, one, all, now;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !CPU_ISSET(cpu, &allowed)) return;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  std::memset(&all, 0xff, sizeof all);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) return;
  (void)::sched_setaffinity(0, sizeof all, &all);
  if (::sched_getaffinity(0, sizeof now, &now) != 0 || !CPU_EQUAL(&now, &allowed))
    (void)::sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace

void SoftAffinity::choose(const Topology& t, std::uint64_t index, std::uint64_t threads) noexcept {
  preferred_cpus_.clear();
  if (!config_bool("UPCR_KEEP_TOGETHER")) return;
  first_slot_ = t.my_first_slot();
  cpu_set_t set;
  if (t.my_slots() < 2 || threads == 0 || ::sched_getaffinity(0, sizeof set, &set) != 0) return;
  const auto cpus = static_cast<unsigned>(CPU_COUNT(&set));
  for (Slot i = 0; i < t.my_slots(); ++i)
    preferred_cpus_.push_back(nth_cpu(set, preferred_cpu_of(index + i, threads, cpus)));
}

void SoftAffinity::return_to_preferred_cpu(Slot slot) const noexcept {
  if (slot - first_slot_ >= preferred_cpus_.size()) return;
  const int cpu = preferred_cpus_[slot - first_slot_];
  if (::sched_getcpu() == cpu) return;
  const std::uint64_t now = ticks_now(), since = now - moved_at_ns;
  if (since < min_stay_ns) return;
  min_stay_ns = since > kResetFactor * min_stay_ns ? kShortestNs : std::min(2 * min_stay_ns, kLongestNs);
  moved_at_ns = now;
  move_to(cpu);
}

}  // namespace upcr
