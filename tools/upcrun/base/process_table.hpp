// SPDX-License-Identifier: BSD-3-Clause
// Information of the kernel about processes, read from /proc.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace upcrun {

// Identifies a process even after its pid has been given to another one.
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

// Returns false when there is no such process.
bool read_process(pid_t pid, ProcessEntry* out);
std::vector<ProcessEntry> all_processes();
// Returns {} when there is no such process.
ProcessId identify(pid_t pid);

// Whether the process is exiting: it no longer runs its program, and its exit status is there or will be.
// False also when there is no such process.
bool is_exiting(pid_t pid);

// Whether one of its threads uses a processor or waits for one, in the program or in the kernel.
bool is_running(pid_t pid);

// "state D (uninterruptible, in the kernel), in rdma_destroy_qp": of a thread that still exists; without the
// kernel's function where the kernel does not tell it. "state unknown": there is no such process.
std::string describe_kernel_state(pid_t pid);
// The same with "pid 12 (heat), " before it; "pid 12" when there is no such process.
std::string describe_state(pid_t pid);

}  // namespace upcrun
