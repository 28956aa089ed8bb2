// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/host_command.hpp"

#include <cstdlib>

#include "tools/upcrun/agent/agent.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/program.hpp"
#include "tools/upcrun/plan/hosts.hpp"

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

// Quotes a word for the shell of the other host, whichever that is.
std::string quoted(const std::string& word) {
  constexpr char kPlain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:=,";
  if (word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string find_ssh() {
  try {
    return find_program("ssh");
  } catch (const Failure&) {
    throw Failure{kNotFound,
                  "there is no ssh in PATH, by which the other hosts are reached; install it (Debian: "
                  "openssh-client), or name another command by --rsh or UPCRUN_RSH"};
  }
}

}  // namespace

HostCommand::HostCommand(const std::string& rsh, const std::string& self)
    : self_(self), there_(self), rsh_(rsh) {
  const char* elsewhere = ::secure_getenv("UPCRUN_AGENT");
  if (elsewhere != nullptr && *elsewhere != '\0') there_ = elsewhere;
  if (rsh_.empty()) {
    name_ = "ssh";
    reaching_ = {find_ssh()};
  } else {
    name_ = rsh_.substr(0, rsh_.find(' '));
    name_.erase(0, name_.rfind('/') + 1);
    reaching_ = {"/bin/sh", "-c", "exec " + rsh_ + " \"$@\"", name_};
  }
  // Behind the user's own options, of which ssh takes the first where two contradict each other.
  if (is_ssh()) reaching_.insert(reaching_.end(), kSshOptions.begin(), kSshOptions.end());
}

std::vector<std::string> HostCommand::words(const std::string& host) const {
  if (is_this_host(host)) return {self_, kAgentOption, kAgentByInput};
  std::vector<std::string> words = reaching_;
  for (const std::string& word :
       {host, quoted(there_), std::string(kAgentOption), std::string(kAgentByInput)})
    words.push_back(word);
  return words;
}

std::string HostCommand::explain(const std::string& host, int status) const {
  if (is_this_host(host)) return "its processes were not started";
  if (status == kNotFound)
    return "there is no '" + there_ + "' on it" +
           (rsh_.empty() ? "" : ", or '" + name_ + "' cannot be found here") +
           "; install upcr in the same place on every host, or say in UPCRUN_AGENT where upcrun is on the "
           "others";
  if (status == kNotExecutable)
    return "'" + there_ + "' on it cannot be run; is it upcr's upcrun, for that kind of processor?";
  if (is_ssh() && status == kSshFailed)
    return "it cannot be reached; `" + (rsh_.empty() ? name_ : rsh_) + " -o BatchMode=yes " + host +
           " true` has to work from here: without a password, and with the host's key known";
  return "its processes were not started";
}

}  // namespace upcrun
