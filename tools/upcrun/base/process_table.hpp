// SPDX-License-Identifier: BSD-3-Clause
// What the kernel says about processes, read from /proc.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace upcrun {

// A process and no later one that has got its number.
struct ProcessId {
  pid_t pid = 0;                 // 0: none
  unsigned long long start = 0;  // clock ticks after the machine's start
  bool operator==(const ProcessId&) const = default;
};

struct ProcessEntry {
  ProcessId id;
  pid_t parent = 0;
  char state = '?';  // as ps shows it, of the first thread
  unsigned flags = 0;
  std::string name;
};

// False when there is no such process.
bool read_process(pid_t pid, ProcessEntry* out);
std::vector<ProcessEntry> all_processes();
// {} when there is no such process.
ProcessId identify(pid_t pid);

// Whether the kernel is ending the process: it runs no more of its program, and its status is to come, or
// there already. False too when there is no such process.
bool is_exiting(pid_t pid);

// Whether one of its threads uses a processor or waits for one, in the program or in the kernel.
bool is_running(pid_t pid);

// "pid 12 (heat), state D (uninterruptible, in the kernel), in rdma_destroy_qp": of a thread that is
// still there. Where the kernel does not tell in which of its functions, without that.
std::string describe_kernel_state(pid_t pid);

}  // namespace upcrun
