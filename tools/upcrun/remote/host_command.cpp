// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remote/host_command.hpp"

#include <cstdlib>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/program.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/plan/hosts.hpp"
#include "tools/upcrun/protocol/hello.hpp"

namespace upcrun {
namespace {

constexpr int kNotFound = 127, kNotExecutable = 126, kSshFailed = 255;

// ssh must ask for nothing, forward nothing, allocate no terminal and share no connection: a master
// connection that it left behind would end with the job, and with it all other sessions of the user that go
// through it.
const std::vector<std::string> kSshOptions = {"-x", "-T",
                                              "-o", "BatchMode=yes",
                                              "-o", "ClearAllForwardings=yes",
                                              "-o", "ControlMaster=no",
                                              "-o", "ControlPath=none"};

std::string find_ssh() {
  try {
    return find_program("ssh");
  } catch (const Failure&) {
    throw Failure{kNotFound,
                  "there is no ssh in PATH to reach the other hosts with; install it (Debian: "
                  "openssh-client), or name another command in --rsh or UPCRUN_RSH"};
  }
}

}  // namespace

HostCommand::HostCommand(const std::string& rsh, const Allocation& allocation, const std::string& self)
    : self_(self), remote_path_(self), rsh_(rsh) {
  const char* elsewhere = ::secure_getenv("UPCRUN_AGENT");
  if (elsewhere != nullptr && *elsewhere != '\0') remote_path_ = elsewhere;
  if (rsh_.empty() && use_batch_system(allocation)) return;
  if (rsh_.empty()) {
    name_ = "ssh";
    prefix_ = {find_ssh()};
  } else {
    name_ = rsh_.substr(0, rsh_.find(' '));
    name_.erase(0, name_.rfind('/') + 1);
    prefix_ = {"/bin/sh", "-c", "exec " + rsh_ + " \"$@\"", name_};
  }
  // They come after the user's options, because of two options that contradict each other ssh uses the first.
  if (is_ssh()) prefix_.insert(prefix_.end(), kSshOptions.begin(), kSshOptions.end());
}

// Its commands start a process on a host of the allocation, under the batch system's control and limits.
bool HostCommand::use_batch_system(const Allocation& allocation) {
  switch (allocation.system) {
    case BatchSystem::kSlurm:
      name_ = "srun";
      // One task, beside the step in which upcrun itself may run, with all CPUs that the job has there.
      prefix_ = {name_,       "--jobid=" + allocation.id, "--nodes=1",  "--ntasks=1",
                 "--overlap", "--cpu-bind=none",          "--mpi=none", "--nodelist"};
      break;
    case BatchSystem::kLsf:
      name_ = "blaunch";
      prefix_ = {name_};
      break;
    case BatchSystem::kSge:
      name_ = "qrsh";
      prefix_ = {name_, "-inherit"};
      break;
    case BatchSystem::kPbs:  // by PBS's task manager; neither command passes on its standard input
      passes_input_ = false;
      name_ = "pbs_tmrsh";
      prefix_ = {name_};
      if (is_in_path(name_)) break;
      name_ = "pbsdsh";  // Torque's; that of OpenPBS has no -h, and pbs_tmrsh beside it
      prefix_ = {name_, "-h"};
      break;
    case BatchSystem::kNone:
      return false;
  }
  by_shell_ = !is_in_path(name_);
  if (by_shell_) {
    passes_input_ = true;
    return false;
  }
  prefix_.front() = find_program(name_);
  return true;
}

bool HostCommand::passes_input(const std::string& host) const { return passes_input_ || is_this_host(host); }

std::vector<std::string> HostCommand::command(const std::string& host, const std::string& where) const {
  if (is_this_host(host)) return {self_, kAgentOption, where};
  std::vector<std::string> command = prefix_;
  for (const std::string& word :
       {host, by_shell_ ? shell_quoted(remote_path_) : remote_path_, std::string(kAgentOption), where})
    command.push_back(word);
  return command;
}

std::string HostCommand::explain(const std::string& host, int status) const {
  if (is_this_host(host)) return "its processes were not started";
  if (status == kNotFound)
    return "there is no '" + remote_path_ + "' on it" +
           (rsh_.empty() ? "" : ", or '" + name_ + "' cannot be found here") +
           "; install upcr in the same place on every host, or set UPCRUN_AGENT to the path of upcrun on the "
           "others";
  if (status == kNotExecutable)
    return "'" + remote_path_ + "' on it cannot be run; is it upcr's upcrun, for that kind of processor?";
  if (is_ssh() && status == kSshFailed)
    return "it cannot be reached; `" + (rsh_.empty() ? name_ : rsh_) + " -o BatchMode=yes " + host +
           " true` has to work from here: without a password, and with the host's key known";
  return "its processes were not started";
}

}  // namespace upcrun
