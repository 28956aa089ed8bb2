// SPDX-License-Identifier: BSD-3-Clause
// The signals that end upcrun and with it the job, and those that upcrun passes on to the programs.
#pragma once
#include <signal.h>

namespace upcrun {

// SIGCHLD, and those of SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 (which batch systems send
// before a time limit) that were not ignored when upcrun started, as nohup does. The caller blocks these
// signals and waits for them; an ignored signal is left out because a blocked one is delivered even when it
// is ignored.
inline sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&set, number);
  }
  return set;
}

// In upcrun itself also SIGTSTP and SIGCONT, which stop the programs and let them go on.
inline sigset_t launcher_signals() {
  sigset_t set = watched_signals();
  for (const int number : {SIGTSTP, SIGCONT}) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&set, number);
  }
  return set;
}

// The signal that the programs get when upcrun gets `number`; 0: it ends the job. Programs on other hosts
// have no terminal, where the kernel ignores SIGTSTP.
inline int signal_for_programs(int number) {
  if (number == SIGTSTP) return SIGSTOP;
  return number == SIGUSR1 || number == SIGUSR2 || number == SIGCONT ? number : 0;
}

}  // namespace upcrun
