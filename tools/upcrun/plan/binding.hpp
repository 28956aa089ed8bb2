// SPDX-License-Identifier: BSD-3-Clause
// Which CPUs each process gets. Two processes that share a CPU while another idles wait for each other's
// time slices, so everyone gets CPUs of its own where there are enough. A process alone is left to the
// system: it could only collide with other jobs. So are processes that may have any number of threads: they
// run wherever there is room.
#pragma once
#include <sched.h>

#include <string>
#include <vector>

#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

class Binding {
 public:
  // The width of processes with an unknown number of threads: bound only on demand, to equal shares.
  static constexpr unsigned kAnyWidth = 0;

  // Plans for `processes` processes of `width` threads. Throws Failure when the mode demands what the
  // allowed CPUs cannot give.
  Binding(Bind mode, unsigned processes, unsigned width);

  bool bound() const noexcept { return bound_; }
  std::size_t allowed() const noexcept { return allowed_.size(); }  // CPUs of this process
  // In the child: takes the CPUs of this rank.
  void apply(unsigned rank) const;
  // "CPUs 4-5", or why there is no binding; for -v.
  std::string describe(unsigned rank) const;

 private:
  unsigned width_;
  bool bound_ = false;
  std::string reason_;
  std::vector<int> allowed_;
};

}  // namespace upcrun
