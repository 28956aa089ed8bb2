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

constexpr std::size_t kMostSaid = 64 * 1024;

// What is run: pointers into what the caller holds, and the end that execve() wants.
struct Command {
  std::vector<char*> arguments, environment;
  int input;  // its standard streams
  int words;
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

Command command_of(const std::vector<std::string>& words, const std::vector<std::string>& variables,
                   const UniqueFd& input, const UniqueFd& saying) {
  Command command{pointers_to(words), environment_with(variables), input.get(), saying.get()};
  command.arguments.push_back(nullptr);
  command.environment.push_back(nullptr);
  return command;
}

// In the process that is going to be it.
[[noreturn]] void become(const Command& command, const InheritedState& inherited, pid_t parent) {
  // Not SIGKILL: mpirun has files to remove and daemons on other hosts to tell, an agent its programs.
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) _exit(1);  // the parent died before prctl()
  (void)::dup2(command.input, STDIN_FILENO);
  (void)::dup2(command.words, STDOUT_FILENO);
  (void)::dup2(command.words, STDERR_FILENO);
  (void)::setrlimit(RLIMIT_NOFILE, &inherited.files);
  restore_write_signals(inherited);
  (void)::sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
  ::execve(command.arguments[0], command.arguments.data(), command.environment.data());
  ::dprintf(STDERR_FILENO, "cannot run '%s': %s\n", command.arguments[0], std::strerror(errno));
  _exit(126);
}

// Waits until `pid` ends, or one of the signals arrives, or the time is over (-1: never). True: it has ended.
bool wait_for_end(pid_t pid, const sigset_t& signals, Milliseconds patience, int* status) {
  const Milliseconds until = now_ms() + patience;
  for (;;) {
    if (::waitpid(pid, status, WNOHANG) == pid) return true;
    const Milliseconds rest = patience < 0 ? 3'600'000 : until - now_ms();
    if (rest <= 0) return false;
    const timespec time{rest / 1000, rest % 1000 * 1'000'000};
    const int number = ::sigtimedwait(&signals, nullptr, &time);
    if (number > 0 && number != SIGCHLD) return false;
  }
}

// The child: keeps mpirun, asks it to end when told so or when upcrun was killed, in which case the programs
// have time to notice it themselves and flush their files, and says how mpirun ended.
[[noreturn]] void keep(pid_t mpirun, pid_t launcher, int status_fd) {
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

// The child, in a session of its own.
[[noreturn]] void start_and_keep(const Command& command, const InheritedState& inherited, pid_t launcher,
                                 int status_fd) {
  (void)::setsid();
  sigset_t all;
  sigfillset(&all);
  (void)::sigprocmask(SIG_SETMASK, &all, nullptr);
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const pid_t keeper = ::getpid();
  const pid_t mpirun = ::fork();
  if (mpirun == 0) become(command, inherited, keeper);
  if (mpirun < 0) _exit(1);
  (void)!::write(status_fd, &mpirun, sizeof mpirun);
  (void)::prctl(PR_SET_NAME, kKeeperName);
  (void)::dup2(status_fd, 0);
  (void)::close_range(1, ~0u, 0);
  keep(mpirun, launcher, 0);
}

}  // namespace

UniqueFd LauncherProcess::make_words_pipe() {
  Pipe pipe;
  words_pipe_ = std::move(pipe.reading);
  (void)::fcntl(words_pipe_.get(), F_SETFL, O_NONBLOCK);
  return std::move(pipe.writing);
}

void LauncherProcess::start(const std::vector<std::string>& words, const std::vector<std::string>& variables,
                            const InheritedState& inherited) {
  name_ = words[0].substr(words[0].rfind('/') + 1);
  const UniqueFd saying = make_words_pipe(), nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Command command = command_of(words, variables, nothing, saying);
  Pipe status;
  const pid_t launcher = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Failure{1, "cannot start " + name_ + ": " + std::strerror(errno)};
  if (pid_ == 0) start_and_keep(command, inherited, launcher, status.writing.get());
  status.writing.reset();
  pid_t mpirun = 0;  // stays 0 when the monitor was killed before it started mpirun
  while (::read(status.reading.get(), &mpirun, sizeof mpirun) < 0 && errno == EINTR) {
  }
  mpirun_ = identify(mpirun);
  keeper_ = identify(pid_);
  status_pipe_ = std::move(status.reading);
}

void LauncherProcess::start_remote_shell(const std::string& name, const std::vector<std::string>& words,
                                         const std::string& input, const InheritedState& inherited) {
  name_ = name;
  const UniqueFd saying = make_words_pipe();
  Pipe pipe;
  (void)!::write(pipe.writing.get(), input.data(), input.size());  // fits: PIPE_BUF is 4 KiB
  const Command command = command_of(words, {}, pipe.reading, saying);
  const pid_t launcher = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Failure{1, "cannot start " + name_ + ": " + std::strerror(errno)};
  if (pid_ != 0) return;
  (void)::setsid();
  become(command, inherited, launcher);
}

std::vector<std::string> LauncherProcess::read() {
  std::vector<std::string> lines;
  char buffer[4096];
  for (ssize_t got; words_pipe_ && (got = ::read(words_pipe_.get(), buffer, sizeof buffer)) != -1;) {
    if (got == 0) words_pipe_.reset();
    partial_.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 && !partial_.empty()) partial_ += '\n';
  }
  for (std::size_t end; (end = partial_.find('\n')) != partial_.npos; partial_.erase(0, end + 1)) {
    lines.push_back(partial_.substr(0, end));
    if (said_.size() + end < kMostSaid) said_ += lines.back() + "\n";
  }
  if (partial_.size() > kMostSaid) partial_.clear();
  return lines;
}

void LauncherProcess::note_end(int wait_status) noexcept {
  ended_ = true;
  wait_status_ = wait_status;
  if (!status_pipe_) return;
  (void)::fcntl(status_pipe_.get(), F_SETFL, O_NONBLOCK);
  keeper_killed_ = ::read(status_pipe_.get(), &wait_status_, sizeof wait_status_) != sizeof wait_status_;
}

int LauncherProcess::status() const noexcept {
  return WIFSIGNALED(wait_status_) ? 128 + WTERMSIG(wait_status_) : WEXITSTATUS(wait_status_);
}

std::string LauncherProcess::describe_exit() const {
  const std::string who =
      keeper_killed_ ? "upcrun's process that waits for " + name_ + " (pid " + std::to_string(pid_) + ")"
                     : name_;
  if (!WIFSIGNALED(wait_status_))
    return who + " ended with status " + std::to_string(WEXITSTATUS(wait_status_));
  return who + " was killed by " + describe_signal(WTERMSIG(wait_status_));
}

}  // namespace upcrun
