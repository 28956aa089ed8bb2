// SPDX-License-Identifier: BSD-3-Clause
// The CPUs of this host as hwloc sees them: which are hardware threads of one core, and where the cores are.
#pragma once
#include <string>
#include <vector>

namespace upcrun {

constexpr int kMaxCpus = 8192;  // of a host

struct Cpu {
  int number = 0;     // of the kernel
  unsigned core = 0;  // numbers of hwloc: the core, the NUMA node and the socket that it is in
  unsigned numa = 0;
  unsigned socket = 0;
  unsigned thread = 0;  // among the hardware threads of its core
  unsigned busy = 0;    // the threads of other jobs on it, as far as they are bound (other_jobs.hpp)

  bool operator==(const Cpu&) const = default;
};

// Those of `allowed`, cores before further hardware threads of theirs, and neighbours in the order of the
// machine. Where hwloc is missing or cannot read the machine: all of them as cores of one socket.
std::vector<Cpu> cpus_in_order(const std::vector<int>& allowed);
// The same on a machine that hwloc imagines ("numa:2 core:4 pu:2"), all of whose CPUs are allowed; for tests.
// Empty where hwloc is missing.
std::vector<Cpu> cpus_of_synthetic(const std::string& machine);

}  // namespace upcrun
