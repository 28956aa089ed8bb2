// SPDX-License-Identifier: BSD-3-Clause
// Processes that SIGKILL does not end: a driver waits for a device that does not answer, a file server is
// gone, a debugger holds them. Nobody may wait for them for ever.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/process_table.hpp"

namespace upcrun {

// How long a process that was killed may be there without running. What the kernel takes back before the end,
// RDMA devices' objects among it, was seen to take more than half a second on a busy machine: this is over
// ten times that. While the process runs it makes progress (the kernel frees its memory, of which there may
// be much), and that time does not count.
inline constexpr Milliseconds kUnkillable = 10'000;
// The same for a process that ends by itself: nothing was wrong with it, so it gets more.
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
