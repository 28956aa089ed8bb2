// SPDX-License-Identifier: BSD-3-Clause
// What the threads of this process wait for in wait_until() right now, for a report from a signal handler.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

struct CurrentWait {
  Slot slot = 0;
  const char* what = nullptr;  // as in WaitReason
  std::uint64_t detail = 0;
  std::uint64_t since_ns = 0;  // by ticks_now(), about when it began to yield; 0: it still spins
};

// The calling thread's wait, from construction to destruction; one inside of another replaces it for a while.
class WaitRecord {
 public:
  WaitRecord(Slot slot, const char* what, std::uint64_t detail) noexcept;
  WaitRecord(const WaitRecord&) = delete;
  WaitRecord& operator=(const WaitRecord&) = delete;
  ~WaitRecord();

 private:
  CurrentWait before_;
};
// The calling thread has been waiting idly since then. Only the first time counts.
void note_idle_wait(std::uint64_t since_ns) noexcept;

// What a thread with this slot waits for; `what` is null: nothing. Async-signal-safe; the wait may end
// meanwhile.
CurrentWait current_wait(Slot slot) noexcept;

}  // namespace upcr
