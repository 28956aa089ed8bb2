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

// Waits for the launcher to end, passing signals on. The last one is stored in `*passed`.
int wait_for_launcher(pid_t launcher, const sigset_t& watched, int* passed) {
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(launcher, &status, WNOHANG);
    if (ended == launcher) return status;
    siginfo_t info{};
    const int number = ::sigwaitinfo(&watched, &info);
    if (number <= 0 || number == SIGCHLD) continue;
    *passed = number;
    // From a terminal the launcher has got it too; it minds the first one only.
    (void)::kill(launcher, number);
  }
}

// Ends this process by the signal that was to end it, so that the caller sees an interrupt.
[[noreturn]] void die_of(int number, const sigset_t& before) {
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

GuardedLauncher start_guard() {
  GuardState* const notes = make_shared_state();
  const sigset_t watched = watched_signals();
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
    return {guard, notes};
  }
  int passed = 0;
  const int status = wait_for_launcher(launcher, watched, &passed);
  if (WIFSIGNALED(status)) {
    std::fprintf(stderr, "upcrun: the launcher process (pid %d) was killed by %s; the job ends\n",
                 static_cast<int>(launcher), describe_signal(WTERMSIG(status)).c_str());
    const Exception mpirun{{notes->keeper, notes->mpirun}, kMpirunOwnGrace + kMpirunTermGrace + kGraceMs};
    for (const std::string& line : sweep(kGraceMs, 0, mpirun))
      std::fprintf(stderr, "upcrun: %s\n", line.c_str());
    _exit(128 + WTERMSIG(status));
  }
  if (!notes->unkillable_left)
    for (const std::string& line : sweep(0, SIGKILL)) std::fprintf(stderr, "upcrun: %s\n", line.c_str());
  const bool interrupted = passed != 0 && passed != SIGQUIT && WEXITSTATUS(status) == 128 + passed;
  if (interrupted) die_of(passed, before);
  _exit(WEXITSTATUS(status));
}

}  // namespace upcrun
