// SPDX-License-Identifier: BSD-3-Clause
// What the threads of this process wait for in wait_until() right now, for a report from a signal handler.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// What a thread waits for, by which upcrun finds the likely cause of a hang.
enum class WaitFor : std::uint8_t {
  kOther,
  kBarrier,
  kLock,        // `detail`: the thread before it in the lock's queue; `object`: the lock
  kAnswer,      // of a process to a message; `detail`: one of its threads
  kCollective,  // a collective call of other threads
};

// The reason of a wait, for reports and for the warning after UPCR_STALL_WARN seconds.
struct WaitReason {
  const char* what;  // "barrier", "lock", "put", ...
  std::uint64_t detail = 0;
  WaitFor waits_for = WaitFor::kOther;
  std::uint64_t object = 0;
};

struct CurrentWait {
  Slot slot = 0;
  WaitReason reason{nullptr};
  std::uint64_t since_ns = 0;  // by ticks_now(), about when it began to yield; 0: it still spins
};

// The calling thread's wait, from construction to destruction; one inside of another replaces it for a while.
// If both have the same words, they are one wait, of a caller that interrupts it from time to time.
class WaitRecord {
 public:
  WaitRecord(Slot slot, const WaitReason& reason) noexcept;
  WaitRecord(const WaitRecord&) = delete;
  WaitRecord& operator=(const WaitRecord&) = delete;
  ~WaitRecord();

 private:
  CurrentWait before_;
  bool before_reported_ = false;
};
// The calling thread has been waiting idly since then. Only the first time counts.
void note_idle_wait(std::uint64_t since_ns) noexcept;
// Since when the calling thread has been waiting idly; 0: it does not.
std::uint64_t idle_wait_since() noexcept;
// True for the first call in this wait of the calling thread.
bool claim_stall_report() noexcept;

// What a thread with this slot waits for; `reason.what` is null: nothing. Async-signal-safe; the wait may end
// meanwhile.
CurrentWait current_wait(Slot slot) noexcept;

}  // namespace upcr
