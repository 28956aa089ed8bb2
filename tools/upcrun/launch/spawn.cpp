// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/spawn.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

// The descriptor of the control socket in the child: above those that scripts use themselves.
constexpr int kControlFd = 30;

[[noreturn]] void fail_to_make(const char* what) {
  const int error = errno;
  std::string message = std::string("cannot make ") + what + ": " + std::strerror(error);
  if (error == EMFILE) message += " (raise `ulimit -n`)";
  if (error == EAGAIN || error == ENOMEM) message += " (raise `ulimit -u`, free memory, or lower -n)";
  throw Failure{1, message};
}

void make_pipe(UniqueFd& read_end, UniqueFd& write_end) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) fail_to_make("a pipe");
  read_end.reset(fds[0]);
  write_end.reset(fds[1]);
}

// Makes the control socket. Returns the child's end, with a high descriptor if the limit of open files allows
// it.
UniqueFd make_control(UniqueFd& launcher_end) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) fail_to_make("a socket");
  launcher_end.reset(fds[0]);
  UniqueFd child_end(fds[1]);
  (void)::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  const int on = 1;
  (void)::setsockopt(fds[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  const int high = ::fcntl(fds[1], F_DUPFD_CLOEXEC, kControlFd);
  if (high >= 0) child_end.reset(high);
  return child_end;
}

}  // namespace

InheritedState save_inherited_state() {
  InheritedState inherited{};
  (void)::sigprocmask(SIG_SETMASK, nullptr, &inherited.mask);
  (void)::getrlimit(RLIMIT_NOFILE, &inherited.files);
  const auto ignored = [](int number) {
    struct sigaction now {};
    return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
  };
  inherited.ignores_pipe = ignored(SIGPIPE);
  inherited.ignores_file_size = ignored(SIGXFSZ);
  return inherited;
}

void ignore_write_signals() {
  (void)::signal(SIGPIPE, SIG_IGN);
  (void)::signal(SIGXFSZ, SIG_IGN);
}

void restore_write_signals(const InheritedState& inherited) {
  (void)::signal(SIGPIPE, inherited.ignores_pipe ? SIG_IGN : SIG_DFL);
  (void)::signal(SIGXFSZ, inherited.ignores_file_size ? SIG_IGN : SIG_DFL);
}

void open_missing_standard_streams() {
  int fd;
  do fd = ::open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) ::close(fd);
}

void raise_file_limit(unsigned processes, bool remote, bool with_files) {
  const rlim_t per_process =
      (with_files ? 1 : 0) +
      (remote ? 2 : 4);  // links, also pending ones; or a socket, two pipes and a pidfd
  const rlim_t own =
      remote ? 96 : 16;  // standard streams, signals, pending links, descriptors that the caller left open
  rlimit limit{};
  (void)::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = processes * per_process + own;
  if (limit.rlim_cur >= wanted) return;
  if (limit.rlim_max < wanted)
    throw Failure{1, std::to_string(processes) + " processes need " + std::to_string(wanted) +
                         " open files in upcrun, the hard limit is " + std::to_string(limit.rlim_max) +
                         "; raise it (`ulimit -Hn`) or lower -n"};
  limit.rlim_cur = wanted;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

Spawner::Spawner(const Plan& plan, const InheritedState& inherited, bool merged_output)
    : plan_(plan), inherited_(inherited), merged_output_(merged_output), launcher_(::getpid()) {
  make_pipe(failures_read_, failures_write_);
  const Options& options = plan.options;
  const std::string& name = options.argv0.empty() ? options.program : options.argv0;
  arguments_.push_back(const_cast<char*>(name.c_str()));
  for (const std::string& argument : options.arguments)
    arguments_.push_back(const_cast<char*>(argument.c_str()));
  arguments_.push_back(nullptr);
}

Spawned Spawner::spawn(upcr::wire::JobVariable job) {
  Spawned child;
  UniqueFd control = make_control(child.control), input, output, error;
  make_pipe(child.output, output);
  if (!merged_output_) make_pipe(child.error, error);
  if (job.rank != 0) {
    input.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input) fail_to_make("an input from /dev/null");
  }
  job.fd = control.get();
  const std::string variable = job.format();
  const int standard[3] = {input.get(), output.get(), merged_output_ ? output.get() : error.get()};
  child.pid = ::fork();
  if (child.pid < 0) fail_to_make("a process");
  if (child.pid == 0) {
    (void)::fcntl(control.get(), F_SETFD, 0);
    exec_program(job.rank, variable, standard);
  }
  return child;
}

// Runs in the child: becomes the program, or reports an ExecFailure.
[[noreturn]] void Spawner::exec_program(unsigned rank, const std::string& variable, const int standard[3]) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launcher_) _exit(1);  // the launcher died before prctl()
  for (int fd = 0; fd < 3; ++fd)
    if (standard[fd] >= 0) (void)::dup2(standard[fd], fd);
  plan_.binding.apply(plan_.binding_slot(rank));
  setenv(upcr::wire::kJobVariable, variable.c_str(), 1);
  setenv("UPCR_RANK", std::to_string(rank).c_str(), 1);
  setenv("UPCR_LOCAL_RANK", std::to_string(plan_.binding_slot(rank)).c_str(), 1);
  setenv("UPCR_SIZE", std::to_string(plan_.processes).c_str(), 1);
  const Options& options = plan_.options;
  if (!options.conduit.empty()) setenv("UPCR_CONDUIT", options.conduit.c_str(), 1);
  if (!options.trace.empty()) setenv("UPCR_TRACE", options.trace.c_str(), 1);
  if (!options.stall_report.empty()) setenv("UPCR_STALL_WARN", options.stall_report.c_str(), 1);
  if (!options.stats.empty()) setenv("UPCR_STATS", options.stats.c_str(), 1);
  if (!options.shared_heap.empty()) setenv("UPC_SHARED_HEAP_SIZE", options.shared_heap.c_str(), 1);
  (void)::setrlimit(RLIMIT_NOFILE, &inherited_.files);
  restore_write_signals(inherited_);
  (void)::sigprocmask(SIG_SETMASK, &inherited_.mask, nullptr);
  ::execvp(plan_.program.c_str(), arguments_.data());
  const ExecFailure failure{rank, errno};
  (void)!::write(failures_write_.get(), &failure, sizeof failure);
  _exit(126);
}

}  // namespace upcrun
