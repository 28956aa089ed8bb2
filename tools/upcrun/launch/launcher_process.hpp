// SPDX-License-Identifier: BSD-3-Clause
// A process that upcrun runs to start agents: mpirun, ssh, or an agent on this host. Its own output is kept
// apart from that of the programs, which comes through the agents: upcrun shows it as the reason when the
// process fails, and with -v.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/process_table.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/launch/spawn.hpp"

namespace upcrun {

// Grace periods of mpirun: to exit by itself after upcrun was killed, which it does when its agents have
// ended; and between SIGTERM and SIGKILL, in which it removes files and ends daemons on other hosts.
inline constexpr Milliseconds kMpirunOwnGrace = 3000, kMpirunTermGrace = 5000;
// The name of the monitor process, as ps shows it.
inline constexpr char kMonitorName[] = "upcrun-monitor";

class LauncherProcess {
 public:
  // Both functions run the command in a session of its own, so that signals of a terminal reach upcrun alone.
  // Both throw Failure. Starts mpirun, with `variables`, "NAME=VALUE", in addition to upcrun's environment. A
  // monitor process (pid()) stands between upcrun and mpirun: when upcrun is killed, it ends mpirun after a
  // grace period.
  void start_mpirun(const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
                    const InheritedState& inherited);
  // Starts a command without a monitor; it gets SIGTERM as soon as upcrun ends, because its agent notices
  // that itself. `input`: its standard input, at most 4 KiB. `name`: for messages.
  void start_remote_shell(const std::string& name, const std::vector<std::string>& arguments,
                          const std::string& input, const InheritedState& inherited);

  pid_t pid() const noexcept { return pid_; }
  // mpirun and its monitor, whose pid is pid().
  ProcessId mpirun() const noexcept { return mpirun_; }
  ProcessId monitor() const noexcept { return monitor_; }
  int fd() const noexcept { return output_pipe_.get(); }
  // Reads the output that has arrived. Returns the lines completed since the last call.
  std::vector<std::string> read();
  // The output so far, at most 64 KiB.
  const std::string& output() const noexcept { return output_; }

  void on_exit(int wait_status) noexcept;
  bool running() const noexcept { return pid_ > 0 && !ended_; }
  bool ended() const noexcept { return ended_; }
  // Whether the monitor was killed, and mpirun may still run. mpirun then gets SIGTERM.
  bool monitor_killed() const noexcept { return monitor_killed_; }
  // The exit status, or 128 + the signal that killed it.
  int status() const noexcept;
  // "mpirun.openmpi ended with status 1"
  std::string describe_exit() const;

 private:
  // Makes the pipe for the command's output. Returns its writing end.
  UniqueFd make_output_pipe();

  std::string name_;
  pid_t pid_ = -1;
  ProcessId mpirun_, monitor_;
  UniqueFd output_pipe_;
  UniqueFd status_pipe_;  // on which the monitor sends mpirun's pid and later its exit status
  std::string output_, partial_;
  bool ended_ = false, monitor_killed_ = false;
  int wait_status_ = 0;
};

}  // namespace upcrun
