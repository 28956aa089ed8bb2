// SPDX-License-Identifier: BSD-3-Clause
// Synchronisation: the barrier of all threads; atomic operations on a word that no other thread uses;
// upcr_lock and upcr_unlock, contended by no other thread, by two threads that hand the lock to each other,
// by all.
#include <algorithm>
#include <atomic>
#include <memory>

#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

void add_fetch_add(UpcrRows& rows, const char* name, const char* whose, upcr_shared_ptr_t word) {
  rows.add(name, std::string("bupc_atomicU64_fetchadd_relaxed, ") + whose + " word",
           on_leader(rows.team(),
                     [word](std::uint64_t n) {
                       std::uint64_t sum = 0;
                       for (std::uint64_t i = 0; i < n; ++i) sum += bupc_atomicU64_fetchadd_relaxed(word, i);
                       do_not_optimize(sum);
                     }),
           "atomic", &References::fetch_adds, 8);
}

// ---- locks ----

void lock_and_unlock(upcr_shared_ptr_t lock, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    upcr_lock(lock);
    upcr_unlock(lock);
  }
}

// Collective. A lock whose home is thread `home`.
upcr_shared_ptr_t lock_of(const UpcrThreadTeam& team, upcr_thread_t home) {
  upcr_shared_ptr_t lock = UPCR_NULL_SHARED;
  if (team.me() == home) lock = upcr_global_lock_alloc();
  return team.pointer_of(home, lock);
}

void add_uncontended(UpcrRows& rows, const char* name, const char* where, upcr_shared_ptr_t lock) {
  rows.add(name,
           std::string("upcr_lock and upcr_unlock, the lock is ") + where + ", no other thread requests it",
           on_leader(rows.team(), [lock](std::uint64_t n) { lock_and_unlock(lock, n); }), "mutex",
           &References::mutexes);
}

// Computes for `steps` steps without access to memory.
void critical_section(std::uint64_t steps) {
  std::uint64_t x = steps;
  for (std::uint64_t i = 0; i < steps; ++i) {
    x = x * 6364136223846793005u + 1;
    asm volatile("" : "+r"(x));
  }
}

double time_of_critical_section(std::uint64_t steps) {
  constexpr int kTimes = 64;
  const double start = now_ns();
  for (int i = 0; i < kTimes; ++i) critical_section(steps);
  return (now_ns() - start) / kTimes;
}

// Thread 0 and the partner take the lock in turns. The partner does so from before the measurement until
// thread 0 ends it. A thread holds the lock for as long as the other needs to queue again, a few transfers of
// a cache line: otherwise one thread takes it several times in a row before the other is in the queue. So
// every unlock finds the other thread waiting; the time of the critical sections is subtracted. Where
// messages carry the lock there are no critical sections, and both threads poll between turns: a lock that is
// mapped here and free is taken without polling the network.
class Handover {
 public:
  Handover(const UpcrThreadTeam& team, References& references, upcr_shared_ptr_t lock)
      : team_(team), references_(references), lock_(lock), words_(upcr_all_alloc(team.threads(), kWords)) {
    *own_word() = 0;
  }

  double burst(std::uint64_t n) {
    ++round_;
    const std::uint64_t steps = critical_section_steps();
    if (!team_.participates()) return 1;
    if (!team_.leads()) {
      put_word(0, round_);
      while (*own_word() != round_) turns(1, steps);
      return 1;
    }
    while (*own_word() != round_) turns(1, steps);
    turns(kWarmUp, steps);
    const double before = time_of_critical_section(steps), start = now_ns();
    turns(n, steps);
    const double took = now_ns() - start, after = time_of_critical_section(steps);
    put_word(team_.partner(), round_);
    // A turn of each thread is two hand-overs. The result has a lower bound, because a disturbed measurement
    // of the critical sections could make it zero, and the harness would lengthen the burst for ever.
    return std::max(took / 2 - static_cast<double>(n) * (before + after) / 2, took / 20);
  }

 private:
  static constexpr std::size_t kWords = 64;
  static constexpr std::uint64_t kProbes = 64;
  // As long as a round trip of a cache line. On one CPU a waiting thread sleeps, so no delay is needed.
  std::uint64_t critical_section_steps() {
    if (!mapped_ || !references_.can_ping_pong() || references_.oversubscribed()) return 0;
    constexpr double kLongest = 1000;
    const double wanted = std::min(references_.ping_pong(kProbes) / static_cast<double>(kProbes), kLongest);
    constexpr std::uint64_t kSome = 1000;
    return team_.value_of_leader(
        static_cast<std::uint64_t>(wanted / time_of_critical_section(kSome) * static_cast<double>(kSome)));
  }
  void turns(std::uint64_t times, std::uint64_t steps) const {
    for (std::uint64_t i = 0; i < times; ++i) {
      upcr_lock(lock_);
      critical_section(steps);
      upcr_unlock(lock_);
      if (!mapped_) upcr_poll();
    }
  }
  volatile std::uint64_t* own_word() const {
    return static_cast<std::uint64_t*>(upcr_shared_to_local(word(team_.me())));
  }
  void put_word(upcr_thread_t thread, std::uint64_t value) const {
    upcr_put_shared_val_strict(word(thread), 0, value, 8);
  }
  upcr_shared_ptr_t word(upcr_thread_t thread) const {
    return upcr_add_shared(words_, 1, static_cast<std::ptrdiff_t>(thread * kWords), kWords);
  }

  const UpcrThreadTeam& team_;
  References& references_;
  const upcr_shared_ptr_t lock_, words_;
  const bool mapped_ = team_.value_of_leader(team_.target_here() != nullptr) != 0;
  std::uint64_t round_ = 0;
};

void add_handover(UpcrRows& rows) {
  const UpcrThreadTeam& team = rows.team();
  const auto handover = std::make_shared<Handover>(team, rows.references(), lock_of(team, 0));
  const Burst test = [handover](std::uint64_t n) { return handover->burst(n); };
  const char* const summary = "from upcr_unlock to the upcr_lock of the partner, who waits for it";
  if (!rows.references().can_ping_pong())
    rows.add("lock_handover", summary, test, "", Burst());
  else if (rows.references().oversubscribed())
    rows.add("lock_handover", summary, test, "futex, one way",
             [r = &rows.references()](std::uint64_t n) { return r->futex_ping_pong(n) / 2; });
  else
    rows.add("lock_handover", summary, test, "one hop",
             [r = &rows.references()](std::uint64_t n) { return r->ping_pong(n) / 2; });
}

}  // namespace

void add_barriers(UpcrRows& rows) {
  rows.add_with_ping_pong("barrier", "upcr_barrier of all threads", [](std::uint64_t n) {
    for (std::uint64_t i = 0; i < kWarmUp; ++i) upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    const double start = now_ns();
    for (std::uint64_t i = 0; i < n; ++i) upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    return now_ns() - start;
  });
}

void add_atomics(UpcrRows& rows) {
  const UpcrThreadTeam& team = rows.team();
  add_fetch_add(rows, "fetch_add", "own", team.block_of(0));
  if (team.has_partner())
    add_fetch_add(rows, "fetch_add_remote", "the partner's", team.block_of(team.partner()));
}

void add_locks(UpcrRows& rows) {
  const UpcrThreadTeam& team = rows.team();
  add_uncontended(rows, "lock", "here", lock_of(team, 0));
  if (!team.has_partner()) return;
  add_uncontended(rows, "lock_remote", "the partner's", lock_of(team, team.partner()));
  add_handover(rows);
  rows.add_with_ping_pong("lock_all", "the same wanted by all threads, time of one turn of each",
                          [&team, lock = lock_of(team, 0)](std::uint64_t n) {
                            const double start = now_ns();
                            lock_and_unlock(lock, n);
                            team.barrier();
                            return now_ns() - start;
                          });
}

}  // namespace perf
