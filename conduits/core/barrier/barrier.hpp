// SPDX-License-Identifier: BSD-3-Clause
// The split-phase barrier over all slots, with value matching: the values that threads pass and the result.
// Both client APIs use it through a BlockingBarrier (blocking.hpp).
//
// Inside a window group (threads that share memory): every thread stores its value in its own line and
// increments a counter of arrivals; the last one to arrive combines the values and releases all threads, so
// no thread depends on this one after its notify(). Between window groups: dissemination by active messages.
// With at most kOneRound groups the radix is such that one round is sufficient. Its messages are sent at
// notify(), to several processes of each group, so again no thread waits for one that computes. Larger jobs
// need further rounds, which threads that poll send.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

enum class BarrierKind : std::uint32_t {
  kAnonymous,   // matches anything but kExit, kUnnamed and kCollective
  kNamed,       // matches the same value, and kAnonymous
  kUnnamed,     // matches only itself: all threads or none
  kCollective,  // in a collective call: matches only itself, no barrier of the program
  kExit,        // the end of the program: matches only itself
};

struct BarrierValue {
  BarrierKind kind = BarrierKind::kAnonymous;
  std::int32_t value = 0;
};

// Whether a thread may run code of the program between its arrival and the end of its wait.
enum class Arrival : bool {
  kSplit,     // it may: notify now, wait later
  kBlocking,  // it does not: it waits at once
};

// The outcome of a phase; the same on every thread.
struct BarrierResult {
  bool mismatch = false;
  // With a mismatch: two threads that disagree, and the value of each. Else `first` is the agreed value.
  BarrierValue first, second;
  Slot first_thread = 0, second_thread = 0;
  // All threads arrived with Arrival::kBlocking, so no code of the program ran during the barrier. Set only
  // if that costs nothing to find out: false may also mean that it is not known.
  bool all_blocking = false;
};

}  // namespace upcr
