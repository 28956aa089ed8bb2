// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/reach.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "tools/upcrun/failure.hpp"
#include "tools/upcrun/rendezvous.hpp"

namespace upcrun {
namespace {

[[noreturn]] void become(const std::string& command, int count, char** words, pid_t parent) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) _exit(1);
  ::unsetenv(kReachVariable);
  const std::string line = "exec " + command + " \"$@\"";
  std::vector<char*> arguments = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                                  const_cast<char*>(line.c_str()), const_cast<char*>("sh")};
  arguments.insert(arguments.end(), words, words + count);
  arguments.push_back(nullptr);
  ::execv("/bin/sh", arguments.data());
  _exit(127);
}

void tell_upcrun(const std::string& host, int status) {
  const char* variable = std::getenv(kAgentVariable);
  const auto where = Rendezvous::parse(variable != nullptr ? variable : "");
  if (!where) return;
  try {
    Link link = connect_to_upcrun(*where, {kLinkVersion, where->credentials.secret, Hello::kUnreachable,
                                           status, ::getpid(), host.substr(0, 200)});
    Message answer{};
    (void)wait_for_message(link, 10'000, &answer);  // until it is closed
  } catch (const Failure&) {
    // The job is over.
  }
}

}  // namespace

int reach_host(const std::string& command, int count, char** words) {
  const pid_t self = ::getpid(), mpirun = ::getppid();
  const pid_t child = ::fork();
  if (child < 0) return 1;
  if (child == 0) become(command, count, words, self);
  int wait_status = 0;
  while (::waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
  }
  const int status = WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  std::string host;
  for (int i = 0; i < count && host.empty(); ++i)
    if (words[i][0] != '-') host = words[i];
  // After mpirun's own end it only follows from that.
  if (status != 0 && ::getppid() == mpirun) tell_upcrun(host, status);
  return status;
}

}  // namespace upcrun
