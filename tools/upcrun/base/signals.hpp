// SPDX-License-Identifier: BSD-3-Clause
// The signals that end upcrun and with it the job.
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

}  // namespace upcrun
