// SPDX-License-Identifier: BSD-3-Clause
// The processes of a job, by rank: what upcrun knows of each, and how messages describe it.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/job/control.hpp"
#include "tools/upcrun/plan/plan.hpp"

namespace upcrun {

struct Process {
  pid_t pid = -1;  // a child of upcrun or of an agent
  bool exited = false;
  int wait_status = 0;
  pid_t member = 0;  // the process that joined: the child itself, or a descendant of a script
  bool member_exited = false;
  bool reporting = false;    // an error, while the job ends
  int reported_signal = 0;   // it has reported that it dies of this one; 0: of none
  Milliseconds fail_at = 0;  // when the job fails with fail_reason; 0: never
  std::string fail_reason;
  // Only with an agent:
  std::string host;      // as the agent named it; empty: it has not connected
  int signalled_by = 0;  // the signal by which the agent was told to end
  bool lost = false;     // the link was lost before the process's end was known

  bool ended() const { return exited && (member == 0 || member == pid || member_exited); }
  bool connected() const { return !host.empty(); }  // its agent has; it may have been lost since
  bool signalled() const { return signalled_by != 0; }
  // It has ended or will end, and the launcher of its agent will give the reason.
  bool awaits_reason() const { return signalled() || lost; }
};

class Processes {
 public:
  // The references must outlive this object.
  Processes(const Plan& plan, const Control& control)
      : plan_(plan), control_(control), all_(plan.processes) {}

  unsigned size() const noexcept { return static_cast<unsigned>(all_.size()); }
  Process& operator[](unsigned rank) { return all_[rank]; }
  const Process& operator[](unsigned rank) const { return all_[rank]; }
  std::vector<Process>::iterator begin() noexcept { return all_.begin(); }
  std::vector<Process>::iterator end() noexcept { return all_.end(); }
  std::vector<Process>::const_iterator begin() const noexcept { return all_.begin(); }
  std::vector<Process>::const_iterator end() const noexcept { return all_.end(); }

  bool all_ended() const;
  bool any_awaits_reason() const;
  // Whether one that has not ended reports an error.
  bool any_reporting() const;
  int highest_exit_status() const;

  // "UPC thread 3 (rank 3, pid 12)", "node 3 (pid 12, host b)".
  std::string describe(unsigned rank) const;
  // The prefix of errors of the runtime that the program uses; of upcrun when the program uses none.
  std::string error_prefix() const;
  bool gasnet() const { return control_.client() == upcr::wire::Client::kGasnet; }
  // The prefix of --label for the lines of a process.
  std::string label(unsigned rank) const;

 private:
  const Plan& plan_;
  const Control& control_;
  std::vector<Process> all_;
};

}  // namespace upcrun
