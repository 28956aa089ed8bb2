// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/references/references.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "bench/perf/measure/interleave.hpp"
#include "conduits/core/base/system/cpu.hpp"

namespace perf {
namespace {

// Which bytes of ThreadTeam::scratch() are used for what: the memory that all threads share without upcr.
// Words that two sides wait for are 256 bytes apart, so that no prefetcher fetches the one with the other.
constexpr std::size_t kPing = 0, kPong = 256;                // ping_pong
constexpr std::size_t kFutexPing = 512, kFutexPong = 768;    // futex_ping_pong
constexpr std::size_t kCpus = 1024;                          // count_cpus: 128 bytes
constexpr std::size_t kThere = 64 << 10, kBack = 128 << 10;  // ping_pong_copy

// Spins before it yields: by then the other side is likely to need this CPU.
constexpr unsigned kSpins = 2000, kSpinsOversubscribed = 200;

void wait_for(const std::atomic<std::uint64_t>& word, std::uint64_t value, bool oversubscribed) {
  const unsigned limit = oversubscribed ? kSpinsOversubscribed : kSpins;
  for (unsigned spins = 0; word.load(std::memory_order_acquire) != value;) {
    if (++spins < limit)
      upcr::cpu_pause();
    else
      sched_yield();
  }
}

// ---- the reference where threads share cores ----
//
// Thread 0 and the partner are on one core, and each sleeps in the kernel until the other wakes it. No pair
// of system calls that names the thread to run next hands a core over at a lower cost; sched_yield() alone
// does so only while no third thread is ready to run.

using Word = std::atomic<std::uint32_t>;

long futex(Word& word, int operation, std::uint32_t value) {
  return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

void set_and_wake(Word& word, std::uint32_t turn) {
  word.store(turn, std::memory_order_release);
  futex(word, FUTEX_WAKE, 1);
}

void wait_for(Word& word, std::uint32_t turn) {
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

References::References(const ThreadTeam& team)
    : team_(team), here_(ThreadTeam::kBlockBytes, 1), fallback_(ThreadTeam::kBlockBytes, 2) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&mutex_, &attributes);
  pthread_mutexattr_destroy(&attributes);
  count_cpus();
}

template <typename Exchange>
double References::timed_turns(std::uint64_t n, Exchange&& exchange) {
  if (!team_.participates()) return 1;
  double start = 0;
  for (std::uint64_t i = 0; i < n + kWarmUp; ++i) {
    if (i == kWarmUp) start = now_ns();
    exchange(++turn_);
  }
  return now_ns() - start;
}

double References::ping_pong(std::uint64_t n) {
  auto& ping = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.scratch() + kPing);
  auto& pong = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.scratch() + kPong);
  return timed_turns(n, [&](std::uint64_t turn) {
    if (team_.leads()) {
      ping.store(turn, std::memory_order_release);
      wait_for(pong, turn, oversubscribed_);
    } else {
      wait_for(ping, turn, oversubscribed_);
      pong.store(turn, std::memory_order_release);
    }
  });
}

double References::ping_pong_copy(std::uint64_t n, std::size_t bytes) {
  return ping_pong_payload(n, bytes, true);
}
double References::ping_pong_store(std::uint64_t n, std::size_t bytes) {
  return ping_pong_payload(n, bytes, false);
}

double References::ping_pong_payload(std::uint64_t n, std::size_t bytes, bool copy_out) {
  auto& ping = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.scratch() + kPing);
  auto& pong = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.scratch() + kPong);
  char* there = team_.scratch() + kThere;
  char* back = team_.scratch() + kBack;
  const auto consume_payload = [&](const char* payload) {
    if (copy_out)
      std::memcpy(fallback_.data(), payload, bytes);
    else
      read_payload(payload, bytes);
  };
  return timed_turns(n, [&](std::uint64_t turn) {
    if (team_.leads()) {
      std::memcpy(there, here_.data(), bytes);
      ping.store(turn, std::memory_order_release);
      wait_for(pong, turn, oversubscribed_);
      consume_payload(back);
    } else {
      wait_for(ping, turn, oversubscribed_);
      consume_payload(there);
      std::memcpy(back, here_.data(), bytes);
      pong.store(turn, std::memory_order_release);
    }
  });
}

std::uint64_t* References::partner_memory() {
  std::uint64_t* mapped = team_.target_here();
  return mapped != nullptr ? mapped : reinterpret_cast<std::uint64_t*>(fallback_.data());
}

double References::stores(std::uint64_t n) {
  if (!team_.leads()) return 1;
  std::uint64_t* to = partner_memory();
  const double start = now_ns();
  walk_words(n, [&](std::uint64_t i) {
    to[i] = i;
    clobber_memory();
  });
  return now_ns() - start;
}

double References::loads(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const std::uint64_t* from = partner_memory();
  std::uint64_t sum = 0;
  const double start = now_ns();
  walk_words(n, [&](std::uint64_t i) {
    sum += from[i];
    clobber_memory();
  });
  do_not_optimize(sum);
  return now_ns() - start;
}

double References::masked_stores(std::uint64_t n) {
  if (!team_.leads()) return 1;
  std::uint64_t* to = partner_memory();
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) {
    to[i & 511] = i;
    clobber_memory();
  }
  return now_ns() - start;
}

double References::masked_loads(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const std::uint64_t* from = partner_memory();
  std::uint64_t sum = 0;
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) {
    sum += from[i & 511];
    clobber_memory();
  }
  do_not_optimize(sum);
  return now_ns() - start;
}

double References::fetch_adds(std::uint64_t n) {
  if (!team_.leads()) return 1;
  auto& word = *reinterpret_cast<std::atomic<std::uint64_t>*>(here_.data());
  std::uint64_t sum = 0;
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) sum += word.fetch_add(i);
  do_not_optimize(sum);
  return now_ns() - start;
}

double References::mutexes(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) {
    pthread_mutex_lock(&mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  return now_ns() - start;
}

// Each thread adds the CPUs that it may use to a set in the scratch memory.
void References::count_cpus() {
  if (team_.scratch() == nullptr) return;
  using Bits = std::atomic<std::uint64_t>;
  Bits* const set = reinterpret_cast<Bits*>(team_.scratch() + kCpus);
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
  Word& ping = *reinterpret_cast<Word*>(team_.scratch() + kFutexPing);
  Word& pong = *reinterpret_cast<Word*>(team_.scratch() + kFutexPong);
  double start = 0;
  for (std::uint64_t i = 0; i < n + kWarmUp; ++i) {
    if (i == kWarmUp) start = now_ns();
    const std::uint32_t turn = ++futex_turn_;
    if (team_.leads()) {
      set_and_wake(ping, turn);
      wait_for(pong, turn);
    } else {
      wait_for(ping, turn);
      set_and_wake(pong, turn);
    }
  }
  return now_ns() - start;
}

}  // namespace perf
