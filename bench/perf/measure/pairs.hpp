// SPDX-License-Identifier: BSD-3-Clause
// Threads of different processes that work in pairs, all pairs at once: processes 0 and 1, 2 and 3 ..., the
// first thread of the one with the first thread of the other, the second with the second. Where the job has
// no such shape (an odd number of processes, or of threads of a process) thread 0 and its partner are the
// only pair. One object for each thread; its functions are not collective.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>

#include "bench/perf/measure/interleave.hpp"

namespace perf {

class Pairs {
 public:
  static constexpr unsigned kMaxThreads = 8;  // threads of a process that belong to pairs

  explicit Pairs(const ThreadTeam& team);  // collective

  // The number of pairs that work at once; 0 without a partner.
  unsigned count() const { return count_; }
  // Of the thread's process: the pairs of one process have different numbers.
  unsigned number() const { return team_.me() % of_process_; }
  bool participates() const { return all_ || (count_ != 0 && team_.participates()); }
  // One thread of each pair leads; thread 0 does.
  bool leads(ThreadTeam::Thread thread) const { return all_ ? thread / of_process_ % 2 == 0 : thread == 0; }
  bool leads() const { return leads(team_.me()); }
  // The other thread of the caller's pair.
  ThreadTeam::Thread peer() const;

  // Nanoseconds of `work`, which each thread calls (it does nothing on threads without a part). Several pairs
  // begin together, and the slowest counts; the synchronisation between them is not measured.
  template <typename Work>
  double time(Work work) const {
    if (count_ > 1) team_.barrier();
    const double start = now_ns();
    work();
    const double took = now_ns() - start;
    return count_ > 1 ? static_cast<double>(team_.largest(static_cast<std::uint64_t>(took))) : took;
  }

 private:
  const ThreadTeam& team_;
  ThreadTeam::Thread of_process_ = 1;  // threads
  bool all_ = false;                   // every thread belongs to a pair
  unsigned count_ = 0;
};

inline Pairs::Pairs(const ThreadTeam& team) : team_(team) {
  const ThreadTeam::Thread processes = team.processes(),
                           each = std::max<ThreadTeam::Thread>(team.threads() / processes, 1);
  const bool even = team.all(team.process() == team.me() / each) && processes % 2 == 0 &&
                    team.threads() == processes * each && each <= kMaxThreads;
  if (even) {
    all_ = true;
    of_process_ = each;
    count_ = team.threads() / 2;
  } else {
    count_ = team.has_partner() ? 1 : 0;
  }
}

inline ThreadTeam::Thread Pairs::peer() const {
  if (!all_) return team_.leads() ? team_.partner() : 0;
  return leads() ? team_.me() + of_process_ : team_.me() - of_process_;
}

// The leading threads do work(n); the others enter a barrier and serve it from there.
template <typename Work>
Burst leader_side(std::shared_ptr<const Pairs> pairs, Work work) {
  return [pairs = std::move(pairs), work](std::uint64_t n) {
    return pairs->time([&] {
      if (pairs->leads()) work(n);
    });
  };
}

// Both threads of each pair do work(n), after a warm-up.
template <typename Work>
Burst both_sides(std::shared_ptr<const Pairs> pairs, Work work) {
  return [pairs = std::move(pairs), work](std::uint64_t n) {
    if (pairs->participates()) work(kWarmUp);
    return pairs->time([&] {
      if (pairs->participates()) work(n);
    });
  };
}

}  // namespace perf
