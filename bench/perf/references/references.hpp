// SPDX-License-Identifier: BSD-3-Clause
// Operations of the machine without upcr: the references of upcr_perf and gasnet_perf. One object for each
// thread. Each function is a burst; the ping-pongs need thread 0 and the partner, the others thread 0 alone.
#pragma once
#include <pthread.h>

#include <cstdint>
#include <vector>

#include "bench/perf/measure/thread_team.hpp"

namespace perf {

class References {
 public:
  explicit References(const ThreadTeam& team);  // collective

  // Whether there are fewer CPUs than processes, or only one; the same on all threads, false where they are
  // on several hosts. If true a message between two threads takes a context switch.
  bool oversubscribed() const { return oversubscribed_; }
  bool can_ping_pong() const { return team_.scratch() != nullptr && team_.has_partner(); }
  // Round trips between thread 0 and the partner, two cache lines: each side writes its own.
  double ping_pong(std::uint64_t n);
  // Round trips between thread 0 and the partner on one CPU, each sleeping until the other wakes it.
  double futex_ping_pong(std::uint64_t n);  // reference_futex.cpp
  // As ping_pong() with `bytes` of payload: copied in by one side and out by the other, both ways.
  double ping_pong_copy(std::uint64_t n, std::size_t bytes);
  // The same, but the receiver reads the payload where it is.
  double ping_pong_store(std::uint64_t n, std::size_t bytes);
  // One 8-byte store or load after the other, over 4 KiB of the partner's memory where it is mapped.
  double stores(std::uint64_t n);
  double loads(std::uint64_t n);
  // The same with an index that is computed: `i & 511`.
  double masked_stores(std::uint64_t n);
  double masked_loads(std::uint64_t n);
  // Lock and unlock of a process-shared mutex without contention.
  double mutexes(std::uint64_t n);
  // Atomic fetch-and-add on a word that no other thread uses.
  double fetch_adds(std::uint64_t n);

 private:
  template <typename Exchange>
  double timed_turns(std::uint64_t n, Exchange&& exchange);
  double ping_pong_payload(std::uint64_t n, std::size_t bytes, bool copy_out);
  std::uint64_t* partner_memory();
  void count_cpus();

  const ThreadTeam& team_;
  bool oversubscribed_ = false;
  int first_cpu_ = 0;  // of those that the threads may use
  std::uint32_t futex_turn_ = 0;
  std::uint64_t turn_ = 0;
  std::vector<char> here_,
      fallback_;  // the private end of copies; the other end where the partner's memory is not mapped
  pthread_mutex_t mutex_;
};

}  // namespace perf
