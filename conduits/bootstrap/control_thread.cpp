// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/bootstrap/control_thread.hpp"

#include <pthread.h>
#include <signal.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "conduits/base/report.hpp"

namespace upcr {
namespace {

constexpr std::size_t kStack = 256 * 1024;
constexpr std::size_t kLargestStack = std::size_t{1} << 30;

}  // namespace

void start_control_thread(void* (*body)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // The program's thread-local data lies on this stack too, so a small one may not do.
  int error = EINVAL;
  pthread_t thread;
  for (std::size_t stack = kStack; error == EINVAL && stack <= kLargestStack; stack *= 2) {
    pthread_attr_setstacksize(&attributes, stack);
    error = pthread_create(&thread, &attributes, body, argument);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0)
    fatal("cannot start the control thread: %s; raise `ulimit -u` or `ulimit -v`", std::strerror(error));
  pthread_setname_np(thread, "upcr-control");
}

void die_soon(long seconds) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer;
  const itimerspec when{{0, 0}, {seconds, 0}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) (void)timer_settime(timer, 0, &when, nullptr);
}

}  // namespace upcr
