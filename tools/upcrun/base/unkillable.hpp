// SPDX-License-Identifier: BSD-3-Clause
// Detects processes that SIGKILL does not end, because a driver waits for a device that does not answer, a
// file server is gone, or a debugger holds them. upcrun must not wait for them for ever.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/process_table.hpp"

namespace upcrun {

// How long a killed process may exist without running before it counts as unkillable. Releasing its
// resources, objects of RDMA devices among them, has been seen to take more than half a second on a busy
// machine; this is over ten times that. Time in which the process runs does not count, because then the
// kernel makes progress with it: it frees the memory, of which there may be much.
inline constexpr Milliseconds kUnkillable = 10'000;
// The same for a process that exits by itself: nothing was wrong with it, so it gets more time.
inline constexpr Milliseconds kSlowExit = 30'000;

// A process that has been sent SIGKILL or exits by itself, and whether it runs at the moment.
struct EndingProcess {
  ProcessId id;
  bool runs = false;
};

class UnkillableDetector {
 public:
  explicit UnkillableDetector(Milliseconds time_limit = kUnkillable) : time_limit_(time_limit) {}

  // To be called again and again with the processes that still exist at `now`. Returns true when there are
  // some, and all of them have exceeded the limit.
  bool all_unkillable(const std::vector<EndingProcess>& remaining, Milliseconds now);
  // Sends SIGKILL to these processes and returns all_unkillable() for them.
  bool kill(const std::vector<ProcessId>& processes);
  bool kill_descendants();

  // A description of each process of the last call.
  std::vector<std::string> describe() const;

 private:
  struct KilledProcess {
    ProcessId id;
    Milliseconds seen, idle;
  };
  Milliseconds time_limit_;
  std::vector<KilledProcess> killed_;
};

}  // namespace upcrun
