// SPDX-License-Identifier: BSD-3-Clause
// Which CPUs each process is bound to. Two processes that share a CPU while another CPU idles wait for each
// other's time slices, so each process gets CPUs of its own where there are enough: cores first, then their
// further hardware threads. A single process is not bound, because that could only make it collide with other
// jobs; nor are processes with an unknown number of threads. CPUs that other jobs use come last.
#pragma once
#include <sched.h>

#include <string>
#include <vector>

#include "tools/upcrun/binding/cpus.hpp"
#include "tools/upcrun/binding/other_jobs.hpp"

namespace upcrun {

// What a process is bound to (--bind).
enum class Bind { kAuto, kNone, kCore, kNuma, kSocket };

// Where the next process goes (--map-by): to the next core, to the next hardware thread, or to the next NUMA
// node or socket, and after the last one to the first.
enum class MapBy { kCore, kHardwareThread, kNuma, kSocket };

// The processes to bind.
struct BindingRequest {
  // The width of processes with an unknown number of threads. They are bound only on demand, to equal shares.
  static constexpr unsigned kAnyWidth = 0;

  Bind bind = Bind::kAuto;
  MapBy map_by = MapBy::kCore;
  unsigned processes = 1;
  unsigned width = 1;  // the threads of each
  // Whether to look at the CPUs of other jobs, and to claim those that are chosen: not where several
  // processes make the same choice, each for its part of one job.
  bool heeds_other_jobs = false;
};

class Binding {
 public:
  // Throws Failure when the request needs more CPUs than this process may use.
  explicit Binding(const BindingRequest& request);
  // The same on a machine with these CPUs, in the order of cpus_in_order().
  Binding(const BindingRequest& request, std::vector<Cpu> cpus);

  bool bound() const noexcept { return !shares_.empty(); }
  std::size_t allowed() const noexcept { return allowed_; }  // the number of CPUs that this process may use
  // The CPUs of a rank, by the kernel's numbers; none when it is not bound.
  std::vector<int> cpus(unsigned rank) const;
  // In the child: binds it to the CPUs of this rank.
  void apply(unsigned rank) const;
  // "CPU 4 5 (socket 0, NUMA node 1, cores 4 5)", or why there is no binding; for -v.
  std::string describe(unsigned rank) const;

 private:
  void share(const BindingRequest& request, std::vector<Cpu> cpus);
  bool claim_shares(std::vector<Cpu>& cpus);
  void share_cores(const BindingRequest& request, unsigned width, std::vector<Cpu> cpus);
  void deal_over_domains(unsigned processes, unsigned width, const std::vector<Cpu>& cpus,
                         unsigned Cpu::*domain);
  void share_domains(const BindingRequest& request, const std::vector<Cpu>& cpus, unsigned Cpu::*domain);

  std::size_t allowed_;
  std::string reason_ = "not bound";
  std::vector<std::vector<Cpu>> shares_;  // of the processes; several may have the same
  bool owns_cpus_ = false;                // each process its own
  CpuClaims claims_;
};

}  // namespace upcrun
