// SPDX-License-Identifier: BSD-3-Clause
// The split-phase barrier over all slots, with value matching. Both client faces use it.
//
// Inside a window (threads that share memory): every thread leaves its value in its own line and counts
// itself in; the last one in combines the values and releases everybody, so after notify() nobody needs
// this thread any more. Between windows: dissemination by active messages with a radix that makes it one
// round for up to kOneRound groups, all of whose messages leave at notify() and go to several processes of
// each group: again nobody waits for a thread that computes. Larger jobs need further rounds, sent from
// whoever polls.
#pragma once
#include <cstdint>

#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

struct Job;

enum class BarrierKind : std::uint32_t {
  kAnonymous,   // matches anything but kExit, kUnnamed and kCollective
  kNamed,       // matches the same value, and kAnonymous
  kUnnamed,     // all or nobody
  kCollective,  // in a collective call: equal to no barrier of the user's
  kExit,        // the end of the program: the same
};

struct BarrierValue {
  BarrierKind kind = BarrierKind::kAnonymous;
  std::int32_t value = 0;
};

// Whether a thread may do something of the program's between its arrival and its leaving.
enum class Arrival : bool {
  kSplit,     // it may: notify, and wait later
  kBlocking,  // no: it waits at once
};

// What the phase came to; the same on every thread.
struct BarrierResult {
  bool mismatch = false;
  // When mismatch: two threads that disagree, and what each said. Else `first` is what was agreed.
  BarrierValue first, second;
  Slot first_thread = 0, second_thread = 0;
  // Everybody arrived whole, so nothing of the program was done during the barrier. Told only where it costs
  // nothing: false may also mean that nobody knows.
  bool whole = false;
};

void plan_barrier(Job& job);
void attach_barrier(Job& job);

// Thread `slot` (of this process) arrives. Never waits.
UPCR_MODULE_API void barrier_notify(Slot slot, BarrierValue value, Arrival arrival = Arrival::kSplit);
// True once everybody has arrived; false: not yet. After true the next notify may follow.
UPCR_MODULE_API bool barrier_try(Slot slot, BarrierResult* result);
// Waits (polling) for the same.
UPCR_MODULE_API BarrierResult barrier_wait(Slot slot);
// Has `whom`, a thread of this window, arrived at a later barrier than thread `slot` of this process? Whoever
// waits for something that `whom` does before that one learns that it will not come; what was done before the
// arrival is visible.
bool barrier_ahead(Slot whom, Slot slot) noexcept;

}  // namespace upcr
