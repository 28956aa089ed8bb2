// SPDX-License-Identifier: BSD-3-Clause
// upcr_lock and upcr_unlock: wanted by one thread, by two that hand the lock to each other, by all.
#include <algorithm>
#include <atomic>
#include <memory>

#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

void cycle(upcr_shared_ptr_t lock, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    upcr_lock(lock);
    upcr_unlock(lock);
  }
}

// Collective: a lock that this thread has made.
upcr_shared_ptr_t lock_of(const UpcrThreadTeam& team, upcr_thread_t home) {
  upcr_shared_ptr_t lock = UPCR_NULL_SHARED;
  if (team.me() == home) lock = upcr_global_lock_alloc();
  return team.pointer_of(home, lock);
}

void uncontended(UpcrRows& rows, const char* name, const char* where, upcr_shared_ptr_t lock) {
  rows.add(name, std::string("upcr_lock and upcr_unlock, the lock is ") + where + ", nobody else wants it",
           alone(rows.team(), [lock](std::uint64_t n) { cycle(lock, n); }), "mutex", &References::mutexes);
}

// Something to do for `steps` steps that touches no memory.
void stay(std::uint64_t steps) {
  std::uint64_t x = steps;
  for (std::uint64_t i = 0; i < steps; ++i) {
    x = x * 6364136223846793005u + 1;
    asm volatile("" : "+r"(x));
  }
}

double time_of_stays(std::uint64_t steps) {
  constexpr int kTimes = 64;
  const double start = now_ns();
  for (int i = 0; i < kTimes; ++i) stay(steps);
  return (now_ns() - start) / kTimes;
}

// Thread 0 and the partner take the lock in turns. The partner does so from before the time is taken until
// thread 0 tells it to stop. Who has the lock keeps it for as long as the other needs to queue again, some
// cache lines' travels: without that a thread takes it several times in a row before the other's wish is
// seen. So every unlock finds the other waiting; what the stays take by themselves is taken off. Where
// messages carry the lock nobody stays, and both serve each other between turns: a lock that is here and free
// is taken without looking at the network.
class Handover {
 public:
  Handover(const UpcrThreadTeam& team, References& references, upcr_shared_ptr_t lock)
      : team_(team), references_(references), lock_(lock), words_(upcr_all_alloc(team.threads(), kWords)) {
    *mine() = 0;
  }

  double burst(std::uint64_t n) {
    ++round_;
    const std::uint64_t steps = steps_of_a_stay();
    if (!team_.participates()) return 1;
    if (!team_.leads()) {
      put(0, round_);
      while (*mine() != round_) turns(1, steps);
      return 1;
    }
    while (*mine() != round_) turns(1, steps);
    turns(kWarmUp, steps);
    const double before = time_of_stays(steps), start = now_ns();
    turns(n, steps);
    const double took = now_ns() - start, after = time_of_stays(steps);
    put(team_.partner(), round_);
    // A turn of each is two hand-overs. They take more than a stay's half, but for other threads'
    // disturbances, which must not make nothing of it: the harness would repeat that for ever.
    return std::max(took / 2 - static_cast<double>(n) * (before + after) / 2, took / 20);
  }

 private:
  static constexpr std::size_t kWords = 64;
  static constexpr std::uint64_t kProbes = 64;
  // A round trip of a cache line. On one CPU who waits sleeps, so that nobody is too quick.
  std::uint64_t steps_of_a_stay() {
    if (!mapped_ || !references_.can_ping_pong() || references_.crowded()) return 0;
    constexpr double kLongest = 1000;
    const double wanted = std::min(references_.ping_pong(kProbes) / static_cast<double>(kProbes), kLongest);
    constexpr std::uint64_t kSome = 1000;
    return team_.agree(
        static_cast<std::uint64_t>(wanted / time_of_stays(kSome) * static_cast<double>(kSome)));
  }
  void turns(std::uint64_t times, std::uint64_t steps) const {
    for (std::uint64_t i = 0; i < times; ++i) {
      upcr_lock(lock_);
      stay(steps);
      upcr_unlock(lock_);
      if (!mapped_) upcr_poll();
    }
  }
  volatile std::uint64_t* mine() const {
    return static_cast<std::uint64_t*>(upcr_shared_to_local(word(team_.me())));
  }
  void put(upcr_thread_t thread, std::uint64_t value) const {
    upcr_put_shared_val_strict(word(thread), 0, value, 8);
  }
  upcr_shared_ptr_t word(upcr_thread_t thread) const {
    return upcr_add_shared(words_, 1, static_cast<std::ptrdiff_t>(thread * kWords), kWords);
  }

  const UpcrThreadTeam& team_;
  References& references_;
  const upcr_shared_ptr_t lock_, words_;
  const bool mapped_ = team_.agree(team_.target_here() != nullptr) != 0;
  std::uint64_t round_ = 0;
};

void handed_over(UpcrRows& rows) {
  const UpcrThreadTeam& team = rows.team();
  const auto handover = std::make_shared<Handover>(team, rows.references(), lock_of(team, 0));
  const Burst test = [handover](std::uint64_t n) { return handover->burst(n); };
  const char* const summary = "from upcr_unlock to the upcr_lock of the partner, who waits for it";
  if (!rows.references().can_ping_pong())
    rows.add("lock_handover", summary, test, "", Burst());
  else if (rows.references().crowded())
    rows.add("lock_handover", summary, test, "futex, one way",
             [r = &rows.references()](std::uint64_t n) { return r->futex_ping_pong(n) / 2; });
  else
    rows.add("lock_handover", summary, test, "one hop",
             [r = &rows.references()](std::uint64_t n) { return r->ping_pong(n) / 2; });
}

}  // namespace

void add_locks(UpcrRows& rows) {
  const UpcrThreadTeam& team = rows.team();
  uncontended(rows, "lock", "here", lock_of(team, 0));
  if (!team.has_partner()) return;
  uncontended(rows, "lock_remote", "the partner's", lock_of(team, team.partner()));
  handed_over(rows);
  rows.add_with_ping_pong("lock_all", "the same wanted by all threads, time of one turn of each",
                          [&team, lock = lock_of(team, 0)](std::uint64_t n) {
                            const double start = now_ns();
                            cycle(lock, n);
                            team.barrier();
                            return now_ns() - start;
                          });
}

}  // namespace perf
