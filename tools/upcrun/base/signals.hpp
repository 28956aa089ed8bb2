// SPDX-License-Identifier: BSD-3-Clause
// The signals that end upcrun and with it the job.
#pragma once
#include <signal.h>

namespace upcrun {

// Those of SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 (batch systems send these before a time
// limit) that the caller of upcrun does not ignore (nohup does), and SIGCHLD. To be blocked and waited for: a
// blocked signal would arrive even where it is ignored.
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
