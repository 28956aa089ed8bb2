// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/launcher_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/text.hpp"

namespace upcrun {
namespace {

constexpr std::size_t kMaxOutput = 64 * 1024;

// The arguments of execve(): null-terminated arrays of pointers into strings of the caller.
struct ExecCommand {
  std::vector<char*> arguments, environment;
  int input;  // descriptors of its standard streams
  int output;
};

struct Pipe {
  UniqueFd reading, writing;
  Pipe() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0)
      throw Failure{1, std::string("cannot make a pipe: ") + std::strerror(errno)};
    reading.reset(fds[0]);
    writing.reset(fds[1]);
  }
};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  return pointers;
}

// Our variables come first, because MPICH's mpirun (4.0.2) ignores a variable of -genvlist that stands last
// in the environment.
std::vector<char*> environment_with(const std::vector<std::string>& variables) {
  std::vector<char*> all = pointers_to(variables);
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view text = *at;
    const bool ours = std::any_of(variables.begin(), variables.end(), [text](const std::string& variable) {
      return text.starts_with(variable.substr(0, variable.find('=') + 1));
    });
    if (!ours) all.push_back(*at);
  }
  return all;
}

ExecCommand exec_command_of(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& variables, const UniqueFd& input,
                            const UniqueFd& output_end) {
  ExecCommand command{pointers_to(arguments), environment_with(variables), input.get(), output_end.get()};
  command.arguments.push_back(nullptr);
  command.environment.push_back(nullptr);
  return command;
}

// Runs in the child.
[[noreturn]] void exec_command(const ExecCommand& command, const InheritedState& inherited, pid_t parent) {
  // Not SIGKILL, because mpirun has to remove files and end daemons on other hosts, and an agent has to end
  // programs.
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) _exit(1);  // the parent died before prctl()
  (void)::dup2(command.input, STDIN_FILENO);
  (void)::dup2(command.output, STDOUT_FILENO);
  (void)::dup2(command.output, STDERR_FILENO);
  (void)::setrlimit(RLIMIT_NOFILE, &inherited.files);
  restore_write_signals(inherited);
  (void)::sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
  ::execve(command.arguments[0], command.arguments.data(), command.environment.data());
  ::dprintf(STDERR_FILENO, "cannot run '%s': %s\n", command.arguments[0], std::strerror(errno));
  _exit(126);
}

// Waits until `pid` ends, one of the signals arrives, or `timeout` ms (-1: no limit) are over. Returns true
// when the process has ended.
bool wait_for_end(pid_t pid, const sigset_t& signals, Milliseconds timeout, int* status) {
  const Milliseconds until = now_ms() + timeout;
  for (;;) {
    if (::waitpid(pid, status, WNOHANG) == pid) return true;
    const Milliseconds rest = timeout < 0 ? 3'600'000 : until - now_ms();
    if (rest <= 0) return false;
    const timespec time{rest / 1000, rest % 1000 * 1'000'000};
    const int number = ::sigtimedwait(&signals, nullptr, &time);
    if (number > 0 && number != SIGCHLD) return false;
  }
}

// Runs in the monitor process: waits for mpirun and reports its exit status. Sends mpirun SIGTERM when asked
// to, or when upcrun was killed; in the latter case only after a grace period, in which the programs can
// flush their files.
[[noreturn]] void monitor_mpirun(pid_t mpirun, pid_t launcher, int status_fd) {
  sigset_t end, either;
  sigemptyset(&end);
  sigaddset(&end, SIGCHLD);
  either = end;
  sigaddset(&either, SIGTERM);
  int status = 0;
  bool ended = ::getppid() == launcher && wait_for_end(mpirun, either, -1, &status);
  // From here on further SIGTERMs do not shorten mpirun's grace period: when upcrun's two processes are
  // killed one after the other, the kernel sends the signal twice, because the second one has adopted this
  // process.
  if (!ended && ::getppid() != launcher) ended = wait_for_end(mpirun, end, kMpirunOwnGrace, &status);
  if (!ended) (void)::kill(mpirun, SIGTERM);
  if (!ended && !wait_for_end(mpirun, end, kMpirunTermGrace, &status)) {
    (void)::kill(mpirun, SIGKILL);
    (void)::waitpid(mpirun, &status, 0);
  }
  (void)!::write(status_fd, &status, sizeof status);
  _exit(0);
}

// Runs in the monitor process, in a session of its own.
[[noreturn]] void run_monitor(const ExecCommand& command, const InheritedState& inherited, pid_t launcher,
                              int status_fd) {
  (void)::setsid();
  sigset_t all;
  sigfillset(&all);
  (void)::sigprocmask(SIG_SETMASK, &all, nullptr);
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const pid_t monitor = ::getpid();
  const pid_t mpirun = ::fork();
  if (mpirun == 0) exec_command(command, inherited, monitor);
  if (mpirun < 0) _exit(1);
  (void)!::write(status_fd, &mpirun, sizeof mpirun);
  (void)::prctl(PR_SET_NAME, kMonitorName);
  (void)::dup2(status_fd, 0);
  (void)::close_range(1, ~0u, 0);
  monitor_mpirun(mpirun, launcher, 0);
}

}  // namespace

UniqueFd LauncherProcess::make_output_pipe() {
  Pipe pipe;
  output_pipe_ = std::move(pipe.reading);
  (void)::fcntl(output_pipe_.get(), F_SETFL, O_NONBLOCK);
  return std::move(pipe.writing);
}

void LauncherProcess::start_mpirun(const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& variables,
                                   const InheritedState& inherited) {
  name_ = arguments[0].substr(arguments[0].rfind('/') + 1);
  const UniqueFd output_end = make_output_pipe(), nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const ExecCommand command = exec_command_of(arguments, variables, nothing, output_end);
  Pipe status;
  const pid_t launcher = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Failure{1, "cannot start " + name_ + ": " + std::strerror(errno)};
  if (pid_ == 0) run_monitor(command, inherited, launcher, status.writing.get());
  status.writing.reset();
  pid_t mpirun = 0;  // stays 0 when the monitor was killed before it started mpirun
  while (::read(status.reading.get(), &mpirun, sizeof mpirun) < 0 && errno == EINTR) {
  }
  mpirun_ = identify(mpirun);
  monitor_ = identify(pid_);
  status_pipe_ = std::move(status.reading);
}

void LauncherProcess::start_remote_shell(const std::string& name, const std::vector<std::string>& arguments,
                                         const std::string& input, const InheritedState& inherited) {
  name_ = name;
  const UniqueFd output_end = make_output_pipe();
  Pipe pipe;
  (void)!::write(pipe.writing.get(), input.data(), input.size());  // does not block: PIPE_BUF is 4 KiB
  const ExecCommand command = exec_command_of(arguments, {}, pipe.reading, output_end);
  const pid_t launcher = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Failure{1, "cannot start " + name_ + ": " + std::strerror(errno)};
  if (pid_ != 0) return;
  (void)::setsid();
  exec_command(command, inherited, launcher);
}

std::vector<std::string> LauncherProcess::read() {
  std::vector<std::string> lines;
  char buffer[4096];
  for (ssize_t got; output_pipe_ && (got = ::read(output_pipe_.get(), buffer, sizeof buffer)) != -1;) {
    if (got == 0) output_pipe_.reset();
    partial_.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 && !partial_.empty()) partial_ += '\n';
  }
  for (std::size_t end; (end = partial_.find('\n')) != partial_.npos; partial_.erase(0, end + 1)) {
    lines.push_back(partial_.substr(0, end));
    if (output_.size() + end < kMaxOutput) output_ += lines.back() + "\n";
  }
  if (partial_.size() > kMaxOutput) partial_.clear();
  return lines;
}

void LauncherProcess::on_exit(int wait_status) noexcept {
  ended_ = true;
  wait_status_ = wait_status;
  if (!status_pipe_) return;
  (void)::fcntl(status_pipe_.get(), F_SETFL, O_NONBLOCK);
  monitor_killed_ = ::read(status_pipe_.get(), &wait_status_, sizeof wait_status_) != sizeof wait_status_;
}

int LauncherProcess::status() const noexcept {
  return WIFSIGNALED(wait_status_) ? 128 + WTERMSIG(wait_status_) : WEXITSTATUS(wait_status_);
}

std::string LauncherProcess::describe_exit() const {
  const std::string name =
      monitor_killed_ ? "upcrun's monitor of " + name_ + " (pid " + std::to_string(pid_) + ")" : name_;
  if (!WIFSIGNALED(wait_status_))
    return name + " ended with status " + std::to_string(WEXITSTATUS(wait_status_));
  return name + " was killed by " + describe_signal(WTERMSIG(wait_status_));
}

}  // namespace upcrun
