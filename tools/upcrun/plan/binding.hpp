// SPDX-License-Identifier: BSD-3-Clause
// Which CPUs each process is bound to. Two processes that share a CPU while another CPU idles wait for each
// other's time slices, so each process gets CPUs of its own where there are enough. A single process is not
// bound, because that could only make it collide with other jobs; nor are processes with an unknown number of
// threads.
#pragma once
#include <sched.h>

#include <string>
#include <vector>

#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

class Binding {
 public:
  // The width of processes with an unknown number of threads. They are bound only on demand, to equal shares.
  static constexpr unsigned kAnyWidth = 0;

  // For `processes` processes of `width` threads each. Throws Failure when the mode requires more CPUs than
  // this process may use.
  Binding(Bind mode, unsigned processes, unsigned width);

  bool bound() const noexcept { return bound_; }
  std::size_t allowed() const noexcept { return allowed_.size(); }  // CPUs that this process may use
  // In the child: binds it to the CPUs of this rank.
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
