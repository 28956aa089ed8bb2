// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/host_command.hpp"

#include <cstdlib>

#include "tools/upcrun/agent.hpp"
#include "tools/upcrun/failure.hpp"
#include "tools/upcrun/hosts.hpp"
#include "tools/upcrun/program.hpp"

namespace upcrun {
namespace {

constexpr int kNotFound = 127, kNotExecutable = 126, kSshFailed = 255;

// Asks nothing, forwards nothing, and is no terminal: a command that starts a command.
const std::vector<std::string> kSshOptions = {
    "-x", "-T", "-o", "BatchMode=yes", "-o", "ClearAllForwardings=yes"};

// As one word for the shell of the other host, whichever that is.
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
    : self_(self), there_(self), is_ssh_(rsh.empty()) {
  const char* elsewhere = std::getenv("UPCRUN_AGENT");
  if (elsewhere != nullptr && *elsewhere != '\0') there_ = elsewhere;
  if (is_ssh_) {
    name_ = "ssh";
    reaching_ = {find_ssh()};
    reaching_.insert(reaching_.end(), kSshOptions.begin(), kSshOptions.end());
  } else {
    name_ = rsh.substr(0, rsh.find(' '));
    name_.erase(0, name_.rfind('/') + 1);
    reaching_ = {"/bin/sh", "-c", "exec " + rsh + " \"$@\"", name_};
  }
}

std::vector<std::string> HostCommand::words(const std::string& host) const {
  if (is_here(host)) return {self_, kAgentOption, kAgentByInput};
  std::vector<std::string> words = reaching_;
  for (const std::string& word :
       {host, quoted(there_), std::string(kAgentOption), std::string(kAgentByInput)})
    words.push_back(word);
  return words;
}

std::string HostCommand::explain(const std::string& host, int status) const {
  if (is_here(host)) return "its processes were not started";
  if (status == kNotFound)
    return "there is no '" + there_ + "' on it" +
           (is_ssh_ ? "" : ", or '" + name_ + "' cannot be found here") +
           "; install upcr in the same place on every host, or say in UPCRUN_AGENT where upcrun is on the "
           "others";
  if (status == kNotExecutable)
    return "'" + there_ + "' on it cannot be run; is it upcr's upcrun, for that kind of processor?";
  if (is_ssh_ && status == kSshFailed)
    return "it cannot be reached; `ssh -o BatchMode=yes " + host +
           " true` has to work from here: without a password, and with the host's key known";
  return "its processes were not started";
}

}  // namespace upcrun
