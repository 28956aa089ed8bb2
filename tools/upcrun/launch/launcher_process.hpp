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
// The process that waits for mpirun meanwhile, by this name (as ps shows it).
inline constexpr char kKeeperName[] = "upcrun-keeper";

class LauncherProcess {
 public:
  // All run the words in a session of their own: what a terminal sends reaches upcrun alone. All throw
  // Failure. For mpirun: `variables`, "NAME=VALUE", come on top of upcrun's own. Between the two a small
  // process waits (pid()): when upcrun is killed mpirun is asked to end, but not before its programs had the
  // time to.
  void start(const std::vector<std::string>& words, const std::vector<std::string>& variables,
             const InheritedState& inherited);
  // For what may end as soon as upcrun does, because the agents see that by themselves. `input`: what it
  // reads, 4 KiB at most. `name`: what it is to be called.
  void start_remote_shell(const std::string& name, const std::vector<std::string>& words,
                          const std::string& input, const InheritedState& inherited);

  pid_t pid() const noexcept { return pid_; }
  // mpirun and its monitor, whose pid is pid().
  ProcessId mpirun() const noexcept { return mpirun_; }
  ProcessId keeper() const noexcept { return keeper_; }
  int fd() const noexcept { return words_pipe_.get(); }
  // Reads what it has said. The lines that have become whole since the last call.
  std::vector<std::string> read();
  // All it has said, but for what upcrun knows better; 64 KiB at most.
  const std::string& said() const noexcept { return said_; }

  void note_end(int wait_status) noexcept;
  bool running() const noexcept { return pid_ > 0 && !ended_; }
  bool ended() const noexcept { return ended_; }
  // It was not mpirun that ended, but the process that waits for it, which somebody killed. mpirun is asked
  // to end.
  bool monitor_killed() const noexcept { return keeper_killed_; }
  // As shells tell it.
  int status() const noexcept;
  // "mpirun.openmpi ended with status 1"
  std::string describe_exit() const;

 private:
  // A pipe for what it will say. Its writing end.
  UniqueFd make_words_pipe();

  std::string name_;
  pid_t pid_ = -1;
  ProcessId mpirun_, keeper_;
  UniqueFd words_pipe_;
  UniqueFd status_pipe_;  // by which the keeper says who mpirun is, and how it has ended
  std::string said_, partial_;
  bool ended_ = false, keeper_killed_ = false;
  int wait_status_ = 0;
};

}  // namespace upcrun
