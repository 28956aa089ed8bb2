// SPDX-License-Identifier: BSD-3-Clause
// Which CPUs each process is bound to. Two processes that share a CPU while another CPU idles wait for each
// other's time slices, so each process gets CPUs of its own where there are enough: cores first, then their
// further hardware threads. A single process is not bound, because that could only make it collide with other
// jobs; nor are processes with an unknown number of threads.
#pragma once
#include <sched.h>

#include <string>
#include <vector>

#include "tools/upcrun/plan/cpus.hpp"
#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

class Binding {
 public:
  // The width of processes with an unknown number of threads. They are bound only on demand, to equal shares.
  static constexpr unsigned kAnyWidth = 0;

  // For `processes` processes of `width` threads each. Throws Failure when the mode requires more CPUs than
  // this process may use.
  Binding(Bind mode, unsigned processes, unsigned width);
  // The same on a machine with these CPUs, in the order of cpus_in_order().
  Binding(Bind mode, unsigned processes, unsigned width, std::vector<Cpu> cpus);

  bool bound() const noexcept { return !shares_.empty(); }
  std::size_t allowed() const noexcept { return allowed_; }  // the number of CPUs that this process may use
  // The CPUs of a rank, by the kernel's numbers; none when it is not bound.
  std::vector<int> cpus(unsigned rank) const;
  // In the child: binds it to the CPUs of this rank.
  void apply(unsigned rank) const;
  // "CPU 4 5 (socket 0, NUMA node 1, cores 4 5)", or why there is no binding; for -v.
  std::string describe(unsigned rank) const;

 private:
  void share_cores(unsigned processes, unsigned width, std::vector<Cpu> cpus);
  void share_domains(unsigned processes, const std::vector<Cpu>& cpus, unsigned Cpu::*domain);

  std::size_t allowed_;
  std::string reason_;
  std::vector<std::vector<Cpu>> shares_;  // of the processes; several may have the same
};

}  // namespace upcrun
