// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/control_thread.hpp"

#include <pthread.h>
#include <signal.h>

#include <cstring>
#include <ctime>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/helper_thread.hpp"

namespace upcr {

void start_control_thread(void* (*body)(void*), void* argument) {
  pthread_t thread;
  const int error = start_helper_thread(&thread, HelperStack::kOwn, body, argument);
  if (error != 0)
    fatal("cannot start the control thread: %s; raise `ulimit -u` or `ulimit -v`", std::strerror(error));
  pthread_setname_np(thread, "upcr-control");
  pthread_detach(thread);
}

void kill_self_after(long seconds) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer;
  const itimerspec when{{0, 0}, {seconds, 0}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) (void)timer_settime(timer, 0, &when, nullptr);
}

}  // namespace upcr
