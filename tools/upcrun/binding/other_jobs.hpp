// SPDX-License-Identifier: BSD-3-Clause
// The CPUs that other jobs of this host use for themselves. A job of upcrun claims its CPUs: for each it
// holds a socket with an abstract name, which the kernel gives to one process only and takes back when that
// process ends, whatever ends it. Jobs of other launchers are found by the CPUs to which their processes are
// bound.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tools/upcrun/base/unique_fd.hpp"

namespace upcrun {

class CpuClaims {
 public:
  // False where another job of this network namespace has claimed the CPU.
  bool claim(int cpu);
  // Gives back all others.
  void keep_only(const std::vector<int>& cpus);

 private:
  std::map<int, UniqueFd> sockets_;
};

// Of the CPUs in `allowed`, those that other jobs use: the number of their threads on each, at least 1.
// `proc`: the folder with the kernel's files.
std::map<int, unsigned> busy_cpus(const std::vector<int>& allowed, const std::string& proc = "/proc");

}  // namespace upcrun
