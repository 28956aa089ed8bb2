// SPDX-License-Identifier: BSD-3-Clause
// upcr_lock and upcr_unlock: wanted by one thread, by two that hand the lock to each other, by all.
#include <atomic>
#include <memory>

#include "bench/perf/rows.hpp"

namespace perf {
namespace {

void cycle(upcr_shared_ptr_t lock, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    upcr_lock(lock);
    upcr_unlock(lock);
  }
}

// Collective: a lock that this thread has made.
upcr_shared_ptr_t lock_of(const Crew& crew, upcr_thread_t home) {
  upcr_shared_ptr_t lock = UPCR_NULL_SHARED;
  if (crew.me() == home) lock = upcr_global_lock_alloc();
  return crew.pointer_of(home, lock);
}

void uncontended(Rows& rows, const char* name, const char* where, upcr_shared_ptr_t lock) {
  rows.add(name, std::string("upcr_lock and upcr_unlock, the lock is ") + where + ", nobody else wants it",
           alone(rows.crew(), [lock](std::uint64_t n) { cycle(lock, n); }), "mutex", &References::mutexes);
}

// Thread 0 and the partner take the lock in turns. The partner does so from before the time is taken until
// thread 0 tells it to stop, so that every unlock finds the other waiting. Where messages carry the lock,
// both serve each other between turns: a lock that is here and free is taken without looking at the network.
class Handover {
 public:
  Handover(const Crew& crew, upcr_shared_ptr_t lock)
      : crew_(crew), lock_(lock), words_(upcr_all_alloc(crew.threads(), kWords)) {
    *mine() = 0;
  }

  double burst(std::uint64_t n) {
    ++round_;
    if (!crew_.takes_part()) return 1;
    if (!crew_.leads()) {
      put(0, round_);
      while (*mine() != round_) turns(1);
      return 1;
    }
    while (*mine() != round_) turns(1);
    turns(kWarmUp);
    const double start = now_ns();
    turns(n);
    const double took = now_ns() - start;
    put(crew_.partner(), round_);
    return took / 2;  // a turn of each is two hand-overs
  }

 private:
  static constexpr std::size_t kWords = 64;
  void turns(std::uint64_t times) const {
    if (mapped_) return cycle(lock_, times);
    for (std::uint64_t i = 0; i < times; ++i) {
      cycle(lock_, 1);
      upcr_poll();
    }
  }
  volatile std::uint64_t* mine() const {
    return static_cast<std::uint64_t*>(upcr_shared_to_local(word(crew_.me())));
  }
  void put(upcr_thread_t thread, std::uint64_t value) const {
    upcr_put_shared_val_strict(word(thread), 0, value, 8);
  }
  upcr_shared_ptr_t word(upcr_thread_t thread) const {
    return upcr_add_shared(words_, 1, static_cast<std::ptrdiff_t>(thread * kWords), kWords);
  }

  const Crew& crew_;
  const upcr_shared_ptr_t lock_, words_;
  const bool mapped_ = crew_.agree(crew_.target_here() != nullptr) != 0;
  std::uint64_t round_ = 0;
};

void handed_over(Rows& rows) {
  const Crew& crew = rows.crew();
  const auto handover = std::make_shared<Handover>(crew, lock_of(crew, 0));
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

void add_locks(Rows& rows) {
  const Crew& crew = rows.crew();
  uncontended(rows, "lock", "here", lock_of(crew, 0));
  if (!crew.has_partner()) return;
  uncontended(rows, "lock_remote", "the partner's", lock_of(crew, crew.partner()));
  handed_over(rows);
  rows.add_with_ping_pong("lock_all", "the same wanted by all threads, time of one turn of each",
                          [&crew, lock = lock_of(crew, 0)](std::uint64_t n) {
                            const double start = now_ns();
                            cycle(lock, n);
                            crew.barrier();
                            return now_ns() - start;
                          });
}

}  // namespace perf
