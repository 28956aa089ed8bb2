// SPDX-License-Identifier: BSD-3-Clause
// The barrier between window groups: dissemination. Part of core/barrier.
//
// In round i group g sends its summary to groups g + j * radix^i, j = 1 .. radix - 1, when it has received
// all messages of the round before. Any process of the group may send a message, because the state is in the
// memory that the group shares. A handler only records; the messages that have become due wait in a bit mask
// until a thread that may send removes and sends them.
//
// Several processes of the other group receive each message, so that no particular one of them has to poll. A
// process that computes after notify does not poll, and possibly no other process of the job polls after
// notify either, so a process that waits is only sure of messages that it receives itself. The number of
// copies is limited by a round's mask (kMaxMessages): each process gets one while processes times groups are
// at most 64, one process of each group beyond 64 groups. The first copy to arrive counts; later ones find
// its bit set. All groups choose the same processes in a phase, other ones in the next, and send first copies
// first.
//
// The network may have no room for a message to a process that computes. A group's threads stay in the
// barrier until one copy of each message has been sent (urgent()); the other copies are sent when there is
// room and a thread of the group polls. So the only processes that may wait for the one that computes are
// neighbours of it whose own copy found no room and whose sender computes, too.
//
// At most two phases are in progress. A group starts phase n + 1 when it has completed n, and n is complete
// when all groups have started it; so no group is two phases ahead, and phases of one parity share a
// PhaseState. Copies of phase n that are in flight or unsent when n + 2 starts are not needed any more: the
// first access for a new phase resets the PhaseState, and messages of a phase that is over are ignored.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/barrier/summary.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/model/window_groups.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr {

class BarrierExchange {
 public:
  static constexpr unsigned kOneRound = 64;     // up to this many groups need one round; the largest radix
  static constexpr unsigned kMaxRounds = 4;     // 64^4 groups
  static constexpr unsigned kMaxMessages = 64;  // of one group in one round, copies included

  // The arguments of a message (core/am/args.hpp): the receiver's group is this target, from 1, of the
  // sender's in that round.
  struct Message {
    std::uint32_t phase;
    std::uint16_t round, target;
    std::array<std::uint32_t, BarrierSummary::kWords> summary;
  };

  enum class Due : std::uint32_t { kNothing, kCopies, kMessages };

  // In the group's shared memory, zero-filled at first.
  struct PhaseState {
    std::uint32_t phase;
    bool arrived;                        // all threads of this group have arrived
    std::uint32_t rounds_open;           // messages of rounds below this one may be sent
    std::uint64_t received[kMaxRounds];  // bit j - 1: the message of the group whose target j is this group
    std::uint64_t unsent[kMaxRounds];    // bit c * targets + j - 1: copy c of the message to target j
    std::uint64_t sent_to[kMaxRounds];   // bit j - 1: a copy of the message to target j has been sent
    BarrierSummary summary;
  };
  struct alignas(kCacheLine) Shared {
    SpinLock lock;
    std::atomic<Due> due;  // the maximum over unsent[]; read without the lock
    PhaseState phases[2];
  };

  // `group`: this process's.
  void attach(Shared* shared, AmEngine* engine, WindowGroups groups, std::uint32_t group);

  // The effect on the phase: the caller releases the group's threads, or wakes them to send.
  struct Outcome {
    bool complete = false;
    bool due = false;
    BarrierSummary summary;  // when complete
  };
  // All threads of this group have arrived.
  Outcome group_arrived(std::uint32_t phase, const BarrierSummary& mine);
  // A message has arrived. `done`: the last phase this group has completed. In a handler.
  Outcome record(const Message& message, std::uint32_t done);

  bool due() const noexcept { return shared_->due.load(std::memory_order_relaxed) != Due::kNothing; }
  // Is a message due of which no copy has been sent?
  bool urgent() const noexcept { return shared_->due.load(std::memory_order_relaxed) == Due::kMessages; }
  // Sends messages that are due; those without room stay due. With `progress` it polls until nothing urgent
  // is left. Not from a handler; a progress hook may call send_due(nullptr).
  void send_due(ProgressEngine* progress);

  unsigned rounds() const noexcept { return rounds_; }
  unsigned radix() const noexcept { return radix_; }
  // The number of processes of a group that receive each message of the last round, at least. In a group of
  // no more processes than that every process receives the messages.
  unsigned copies() const noexcept { return rounds_ == 0 ? 1 : copies_[rounds_ - 1]; }

 private:
  // Unsent messages of one round, removed from PhaseState by the thread that sends them.
  struct Batch {
    std::uint32_t phase = 0;
    unsigned round = 0;
    std::uint64_t messages = 0;  // as in PhaseState::unsent
    std::uint64_t sent_to = 0;   // as in PhaseState::sent_to
    BarrierSummary summary;
  };
  bool is_over(std::uint32_t phase) const noexcept;
  Rank receiver(const Batch& batch, std::uint64_t target, unsigned copy) const noexcept;
  PhaseState& phase_state(std::uint32_t phase) noexcept;
  void open_rounds(PhaseState& p) noexcept;
  Outcome outcome(const PhaseState& p) const noexcept;
  bool next_batch(Batch* batch) noexcept;
  void put_back(const Batch& batch) noexcept;
  void send(Batch& batch);
  bool is_urgent(unsigned round, std::uint64_t messages, std::uint64_t sent_to) const noexcept;
  void raise_due(bool urgent) noexcept;

  Shared* shared_ = nullptr;
  AmEngine* engine_ = nullptr;
  WindowGroups groups_;
  std::uint32_t group_ = 0;
  unsigned radix_ = 1, rounds_ = 0;
  std::uint64_t distance_[kMaxRounds] = {};  // radix^round
  std::uint32_t targets_[kMaxRounds] = {};   // groups to send to, and to receive from, in each round
  std::uint32_t copies_[kMaxRounds] = {};    // of each message
};

}  // namespace upcr
