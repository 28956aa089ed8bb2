// SPDX-License-Identifier: BSD-3-Clause
// The one child of upcrun in a job with agents: mpirun. What it says itself is kept, because the programs'
// output goes another way (agent.hpp): it is shown when mpirun fails, as the reason, and with -v. Between the
// two a small process waits (pid()), for the case that upcrun is killed.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/upcrun/spawn.hpp"
#include "tools/upcrun/unique_fd.hpp"

namespace upcrun {

class Starter {
 public:
  // Runs the words in a session of their own: what a terminal sends reaches upcrun alone. `variables`,
  // "NAME=VALUE", come on top of upcrun's own. Throws Failure.
  void start(const std::vector<std::string>& words, const std::vector<std::string>& variables,
             const Inherited& inherited);

  pid_t pid() const noexcept { return pid_; }
  int fd() const noexcept { return words_pipe_.get(); }
  // Reads what it has said. The lines that have become whole since the last call.
  std::vector<std::string> read();
  // All it has said, but for what upcrun knows better; 64 KiB at most.
  const std::string& said() const noexcept { return said_; }

  void note_end(int wait_status) noexcept { ended_ = true, wait_status_ = wait_status; }
  bool running() const noexcept { return pid_ > 0 && !ended_; }
  bool ended() const noexcept { return ended_; }
  // As shells tell it.
  int status() const noexcept;
  // "mpirun.openmpi ended with status 1"
  std::string end_in_words() const;

 private:
  std::string name_;
  pid_t pid_ = -1;
  UniqueFd words_pipe_;
  std::string said_, partial_;
  bool ended_ = false;
  int wait_status_ = 0;
};

}  // namespace upcrun
