// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/guard.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/signals.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/launch/launcher_process.hpp"

namespace upcrun {
namespace {

constexpr long kGraceMs = 1000;  // for processes that exit by themselves when the launcher has died

// Waits for the launcher to end and forwards signals to it. Stores the last one in *forwarded.
int wait_for_launcher(pid_t launcher, const sigset_t& watched, int* forwarded) {
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(launcher, &status, WNOHANG);
    if (ended == launcher) return status;
    siginfo_t info{};
    const int number = ::sigwaitinfo(&watched, &info);
    if (number <= 0 || number == SIGCHLD) continue;
    if (number == SIGTSTP || number == SIGCONT) {
      (void)::kill(launcher, number);
      // For the shell, which waits for this process: upcrun has stopped. The launcher goes on serving the
      // job.
      if (number == SIGTSTP) (void)::raise(SIGSTOP);
      continue;
    }
    *forwarded = number;
    // A terminal has sent the signal to the launcher, too; the launcher ignores all but the first one.
    (void)::kill(launcher, number);
  }
}

// Ends this process by the signal that upcrun has received, so that the calling shell sees an interrupt.
[[noreturn]] void exit_by_signal(int number, const sigset_t& before) {
  (void)::signal(number, SIG_DFL);
  (void)::raise(number);
  sigset_t set = before;
  sigdelset(&set, number);
  (void)::sigprocmask(SIG_SETMASK, &set, nullptr);
  _exit(128 + number);
}

GuardState* make_shared_state() {
  void* const memory =
      ::mmap(nullptr, sizeof(GuardState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Failure{1, std::string("cannot share memory: ") + std::strerror(errno)};
  return new (memory) GuardState;
}

}  // namespace

GuardedLauncher start_guard(const std::string& prefix) {
  GuardState* const state = make_shared_state();
  const sigset_t watched = launcher_signals();
  sigset_t before;
  (void)::signal(SIGCHLD, SIG_DFL);  // if it were ignored, waitpid() would return no status
  (void)::sigprocmask(SIG_BLOCK, &watched, &before);
  become_subreaper();
  const pid_t guard = ::getpid();
  const pid_t launcher = ::fork();
  if (launcher < 0) throw Failure{1, std::string("cannot start a process: ") + std::strerror(errno)};
  if (launcher == 0) {
    (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != guard) _exit(1);
    return {guard, state};
  }
  int forwarded = 0;
  const int status = wait_for_launcher(launcher, watched, &forwarded);
  if (WIFSIGNALED(status)) {
    std::fprintf(stderr, "%sthe launcher process (pid %d) was killed by %s; the job ends\n", prefix.c_str(),
                 static_cast<int>(launcher), describe_signal(WTERMSIG(status)).c_str());
    const ExemptProcesses mpirun{{state->monitor, state->mpirun},
                                 kMpirunOwnGrace + kMpirunTermGrace + kGraceMs};
    for (const std::string& line : end_descendants(kGraceMs, 0, mpirun))
      std::fprintf(stderr, "%s%s\n", prefix.c_str(), line.c_str());
    _exit(128 + WTERMSIG(status));
  }
  if (!state->unkillable_left)
    for (const std::string& line : end_descendants(0, SIGKILL))
      std::fprintf(stderr, "%s%s\n", prefix.c_str(), line.c_str());
  const bool interrupted = forwarded != 0 && forwarded != SIGQUIT && WEXITSTATUS(status) == 128 + forwarded;
  if (interrupted) exit_by_signal(forwarded, before);
  _exit(WEXITSTATUS(status));
}

}  // namespace upcrun
