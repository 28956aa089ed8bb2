// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/protocol/rendezvous.hpp"

namespace upcrun {
namespace {

constexpr int kOutputFirst = 500;  // ms

[[noreturn]] void exec_remote_shell(const std::string& command, const std::vector<char*>& arguments_given,
                                    pid_t parent) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) _exit(1);
  clear_proxy_variables();
  const std::string line = "exec " + command + " \"$@\"";
  std::vector<char*> arguments = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                                  const_cast<char*>(line.c_str()), const_cast<char*>("sh")};
  arguments.insert(arguments.end(), arguments_given.begin(), arguments_given.end());
  arguments.push_back(nullptr);
  ::execv("/bin/sh", arguments.data());
  _exit(127);
}

void report_unreachable(const std::string& host, int status) {
  const char* variable = ::secure_getenv(kAgentVariable);
  const auto where = Rendezvous::parse(variable != nullptr ? variable : "");
  if (!where) return;
  try {
    Link link = connect_to_upcrun(*where, {kLinkVersion, where->credentials.secret, Hello::kHostUnreachable,
                                           status, ::getpid(), host.substr(0, 200)});
    Message reply{};
    (void)wait_for_message(link, 10'000, &reply);  // returns when upcrun closes the link
  } catch (const Failure&) {
    // The job is over.
  }
}

}  // namespace

std::vector<std::string> proxy_variables(const std::string& command) {
  const char* options = std::getenv(kHydraArgumentsVariable);
  return {std::string(kRemoteShellVariable) + "=" + command,
          std::string(kHydraArgumentsVariable) + "=" + kProxyOption + (options != nullptr ? " " : "") +
              (options != nullptr ? options : "")};
}

void clear_proxy_variables() {
  ::unsetenv(kRemoteShellVariable);
  const char* options = std::getenv(kHydraArgumentsVariable);
  if (options != nullptr && std::string_view(options).starts_with(kProxyOption))
    ::unsetenv(kHydraArgumentsVariable);
}

// mpirun puts options of its own before kProxyOption.
bool is_remote_shell_proxy(int count, char** arguments_given) {
  for (int i = 0; i < count && arguments_given[i][0] == '-'; ++i)
    if (std::string_view(arguments_given[i]) == kProxyOption) return true;
  return false;
}

int run_remote_shell_proxy(int count, char** given) {
  std::vector<char*> arguments_given(given, given + count);
  arguments_given.erase(
      std::find(arguments_given.begin(), arguments_given.end(), std::string_view(kProxyOption)));
  const char* variable = ::secure_getenv(kRemoteShellVariable);
  const std::string command = variable != nullptr ? variable : "ssh";
  const pid_t self = ::getpid(), mpirun = ::getppid();
  const pid_t child = ::fork();
  if (child < 0) return 1;
  if (child == 0) exec_remote_shell(command, arguments_given, self);
  int wait_status = 0;
  while (::waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
  }
  const int status = WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  std::string host;
  for (const char* argument : arguments_given)
    if (host.empty() && argument[0] != '-') host = argument;
  // The command's own messages reach upcrun through mpirun and should arrive first, because they explain
  // more.
  if (status != 0) (void)::poll(nullptr, 0, kOutputFirst);
  // After mpirun's end the failure only follows from that end.
  if (status != 0 && ::getppid() == mpirun) report_unreachable(host, status);
  return status;
}

}  // namespace upcrun
