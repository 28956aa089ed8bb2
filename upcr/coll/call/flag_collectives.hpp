// SPDX-License-Identifier: BSD-3-Clause
// Flag collectives: collectives among threads that all share memory, synchronised by flags in cache lines
// instead of messages. Each thread has lines that only it writes and the others read: the call that it has
// entered, the call that it has finished its part of, and slots for small data, each with a flag that tells
// that the data is complete; and one line from which another thread claims a part of its work
// (shared_work.hpp). A step is the transfer of one cache line; nothing is allocated or locked. UPC threads,
// blocking calls of all threads, not in a handler. Used by move_by_flags.cpp and upcr/reduce.
//
// These calls have numbers of their own. All threads agree which calls are flag collectives, because that
// depends only on what is the same on all of them: arguments, flags, tuning, and whether the job is one
// window group.
//
// Memory order: every flag is stored with release after the data that it announces, and loaded with acquire
// before that data is used. `entered` and `done` only grow. A thread may make any number of calls without
// storing `entered`, so numbers have 64 bits and never wrap. The slot of call n is reused by call n + kSlots,
// after every thread has done call n: so a thread whose data is read late waits when it is kSlots calls
// ahead, and only in calls that use slots. It then waits for threads in earlier calls, so the oldest call
// always continues.
//
// When a thread enters a barrier, or ends its program, without having made the call, the threads that wait
// for it see that its barrier is ahead (BlockingBarrier::is_ahead()). They join the barrier, as a collective,
// and all threads learn of the mismatch.
#pragma once
#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/coll/call/shared_work.hpp"
#include "upcr/coll/call/team.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {

class Call;

// The lines of one thread, in the control memory of its window group. Zero-filled memory is the initial
// state.
struct FlagLines {
  using Number = std::uint64_t;
  static constexpr std::size_t kInlineBytes = kCacheLine - 16, kInlineSlots = 64;
  static constexpr std::size_t kSlotBytes = 4096, kSlots = 16;
  struct alignas(kCacheLine) Head {
    std::atomic<Number> sent;  // the call whose data is here, or in the slot
    alignas(16) char inline_data[kInlineBytes];
  };
  alignas(kCacheLine) std::atomic<Number> entered;
  alignas(kCacheLine) std::atomic<Number> done;
  SharedWork work;
  Head heads[kInlineSlots];        // by call modulo kInlineSlots
  char slots[kSlots][kSlotBytes];  // modulo kSlots, for more than kInlineBytes bytes

  Head& head(Number call) noexcept { return heads[call % kInlineSlots]; }
  char* data_of(Number call, std::size_t bytes) noexcept {
    return bytes <= kInlineBytes ? head(call).inline_data : slots[call % kSlots];
  }
};

// A thread's private state.
struct FlagState {
  FlagLines* all = nullptr;  // by thread; nullptr: the threads do not all share memory
  FlagLines::Number calls = 0;
  FlagLines::Number all_done = 0;  // a call that all threads are known to have done
};

void plan_flag_lines(Job& job);
void attach_flag_lines(Job& job, FlagState& state) noexcept;

// One such call of one thread.
class FlagCollective {
 public:
  // Whether calls of this team are flag collectives.
  static bool serves(Call& call) noexcept;
  explicit FlagCollective(Call& call) noexcept;
  FlagCollective(const FlagCollective&) = delete;
  FlagCollective& operator=(const FlagCollective&) = delete;

  // From now on the others may access data with affinity to this thread.
  void announce() {
    mine().entered.store(number_, std::memory_order_release);
    ring_others();
  }
  void wait_entered(TeamRank member) {
    wait(member, [&line = state_.all[member].entered, this] { return reached(line); });
  }

  // Work that this thread shares with `helper` (shared_work.hpp): offered before announce(), and complete
  // when work_with() returns. help() does a part of the work of `whose`, if that thread has entered this
  // call. copy(i) does piece i.
  void offer_work() { mine().work.offer(number_); }
  template <typename Copy>
  void work_with(TeamRank helper, SharedWork::Count pieces, Copy&& copy) {
    SharedWork& work = mine().work;
    SharedWork::Count own = 0;
    while (work.claim(number_, pieces)) copy(own++);
    wait(helper, [&work, its = pieces - own] { return work.helper_done(its); });
  }
  template <typename Copy>
  void help(TeamRank whose, SharedWork::Count pieces, Copy&& copy) {
    if (!reached(state_.all[whose].entered)) return;
    SharedWork& work = state_.all[whose].work;
    SharedWork::Count own = 0;
    while (work.claim(number_, pieces)) {
      copy(pieces - ++own);
      work.set_helper_done(own);
    }
    if (own != 0) job().doorbells.of(whose).ring();
  }

  // Small data, at most kSlotBytes bytes. send_buffer() returns this thread's buffer for data that all others
  // may read, aligned to 16; waits until the slot is free. publish() announces that the data is complete.
  // receive() waits for a member's data, of so many bytes; the pointer is valid until finish().
  char* send_buffer(std::size_t bytes) {
    const std::size_t slots = bytes <= FlagLines::kInlineBytes ? FlagLines::kInlineSlots : FlagLines::kSlots;
    if (number_ > state_.all_done + slots) wait_for_slot(number_ - slots);
    return mine().data_of(number_, bytes);
  }
  void publish(std::size_t bytes) {
    mine().head(number_).sent.store(number_, std::memory_order_release);
    ring_others();
    prefetch_next_slot(bytes);
  }
  const char* receive(TeamRank from, std::size_t bytes) {
    FlagLines& its = state_.all[from];
    const std::atomic<FlagLines::Number>& sent = its.head(number_).sent;
    wait(from, [&sent, this] { return sent.load(std::memory_order_acquire) == number_; });
    return its.data_of(number_, bytes);
  }

  // This thread has completed its part: it makes no more accesses to data or slots of others, and its stores
  // are visible. Every call ends with it.
  void finish();
  void wait_finished(TeamRank member) {
    wait(member, [&line = state_.all[member].done, this] { return reached(line); });
  }

  // Visits all other members, from the next one on, so that not all threads access the same one at a time.
  template <typename Visit>
  void others(Visit&& visit) const {
    for (TeamRank m = me_ + 1; m < size_; ++m) visit(m);
    for (TeamRank m = 0; m < me_; ++m) visit(m);
  }

 private:
  static constexpr unsigned kYields = 32;

  FlagLines& mine() const noexcept { return state_.all[me_]; }
  bool reached(const std::atomic<FlagLines::Number>& line) const noexcept {
    return line.load(std::memory_order_acquire) >= number_;
  }
  void ring_others() const noexcept {
    for (TeamRank m = 0; m < size_; ++m)
      if (m != me_) job().doorbells.of(m).ring();
  }
  // Prefetches the lines of the next call's slot, which other CPUs have read last, while this call waits. The
  // next call's data is assumed to have the same size.
  void prefetch_next_slot(std::size_t bytes) const noexcept {
    __builtin_prefetch(&mine().head(number_ + 1), 1);
    if (bytes <= FlagLines::kInlineBytes) return;
    const char* const next = mine().data_of(number_ + 1, bytes);
    for (std::size_t at = 0; at < bytes; at += kCacheLine) __builtin_prefetch(next + at, 1);
  }
  void wait_for_slot(FlagLines::Number last_use);
  void mismatch();

  template <typename Ready>
  void wait(TeamRank peer, Ready ready) {
    if (ready()) return;
    if (job().oversubscribed)  // the others cannot run before this one stops
      for (unsigned i = 0; i < kYields; ++i) {
        ::sched_yield();
        if (ready()) return;
      }
    for (;;) {
      job().progress.wait_until(me_, {"a collective call; UPC thread", peer, WaitFor::kCollective},
                                [&] { return ready() || job().barrier.is_ahead(peer, me_); });
      if (ready()) return;  // its stores before that barrier are visible now
      mismatch();
    }
  }

  Call& call_;
  FlagState& state_;
  const FlagLines::Number number_;
  const TeamRank me_, size_;
};

}  // namespace upcr::coll
