// SPDX-License-Identifier: BSD-3-Clause
// The yardstick where threads have to share cores: thread 0 and the partner on ONE core, each of which sleeps
// in the kernel until the other wakes it. Nobody can hand a core over more cheaply by system calls that
// address one sleeper; who only yields relies on nobody else being ready to run.
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "bench/perf/measure/interleave.hpp"
#include "bench/perf/references/raw_layout.hpp"
#include "bench/perf/references/references.hpp"

namespace perf {
namespace {

using Word = std::atomic<std::uint32_t>;

long futex(Word& word, int operation, std::uint32_t value) {
  return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

void tell(Word& word, std::uint32_t turn) {
  word.store(turn, std::memory_order_release);
  futex(word, FUTEX_WAKE, 1);
}

void await(Word& word, std::uint32_t turn) {
  for (std::uint32_t seen; (seen = word.load(std::memory_order_acquire)) != turn;)
    futex(word, FUTEX_WAIT, seen);
}

// The calling thread runs on one CPU, and afterwards where it ran before.
class OnOneCpu {
 public:
  explicit OnOneCpu(int cpu) {
    if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pinned_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~OnOneCpu() {
    if (pinned_) sched_setaffinity(0, sizeof before_, &before_);
  }
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

 private:
  cpu_set_t before_;
  bool pinned_ = false;
};

}  // namespace

// Everybody adds the CPUs it may use to a set in the raw memory.
void References::count_cpus() {
  if (team_.raw() == nullptr) return;
  using Bits = std::atomic<std::uint64_t>;
  Bits* const set = reinterpret_cast<Bits*>(team_.raw() + raw_layout::kCpus);
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) CPU_ZERO(&mine);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mine)) set[cpu / 64].fetch_or(std::uint64_t{1} << (cpu % 64));
  team_.barrier();
  unsigned cpus = 0;
  for (int i = CPU_SETSIZE / 64; i-- > 0;) {
    const std::uint64_t bits = set[i].load();
    cpus += static_cast<unsigned>(std::popcount(bits));
    if (bits != 0) first_cpu_ = 64 * i + std::countr_zero(bits);
  }
  oversubscribed_ =
      cpus != 0 && team_.threads() > 1 && cpus < std::max<ThreadTeam::Thread>(2, team_.processes());
}

double References::futex_ping_pong(std::uint64_t n) {
  if (!team_.participates()) return 1;
  const OnOneCpu pinned(first_cpu_);
  Word& ping = *reinterpret_cast<Word*>(team_.raw() + raw_layout::kFutexPing);
  Word& pong = *reinterpret_cast<Word*>(team_.raw() + raw_layout::kFutexPong);
  double start = 0;
  for (std::uint64_t i = 0; i < n + kWarmUp; ++i) {
    if (i == kWarmUp) start = now_ns();
    const std::uint32_t turn = ++futex_turn_;
    if (team_.leads()) {
      tell(ping, turn);
      await(pong, turn);
    } else {
      await(ping, turn);
      tell(pong, turn);
    }
  }
  return now_ns() - start;
}

}  // namespace perf
