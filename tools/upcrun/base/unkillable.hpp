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

// Of a process that was sent SIGKILL, or is ending by itself.
struct Dying {
  ProcessId id;
  bool runs = false;
};

class UnkillableDetector {
 public:
  explicit UnkillableDetector(Milliseconds patience = kUnkillable) : patience_(patience) {}

  // These are still there at `now`. True: there are some, and none that may yet end.
  bool hopeless(const std::vector<Dying>& remaining, Milliseconds now);
  // Sends SIGKILL to these and looks at them.
  bool kill(const std::vector<ProcessId>& processes);
  bool kill_descendants();

  // A line about each of those that remained in the last call.
  std::vector<std::string> in_words() const;

 private:
  struct Waiting {
    ProcessId id;
    Milliseconds seen, idle;
  };
  Milliseconds patience_;
  std::vector<Waiting> waiting_;
};

}  // namespace upcrun
