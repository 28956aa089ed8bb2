// SPDX-License-Identifier: BSD-3-Clause
// Keeps a signal from the program that the kernel would raise for a call of the runtime: SIGXFSZ, when a file
// reaches the limit of `ulimit -f`, and SIGPIPE. Any thread; async-signal-safe.
#pragma once
#include <signal.h>

#include <cerrno>
#include <ctime>

namespace upcr {

// While it lives, a system call of this thread that would raise the signal only fails (EFBIG, EPIPE).
class SignalBlocker {
 public:
  explicit SignalBlocker(int signal) noexcept : number_(signal) {
    sigemptyset(&signal_);
    sigaddset(&signal_, signal);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~SignalBlocker() {
    if (sigismember(&before_, number_) != 0) return;  // blocked by the caller, which gets the signal later
    const int kept = errno;
    const timespec now{0, 0};
    while (sigtimedwait(&signal_, nullptr, &now) == number_) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = kept;
  }
  SignalBlocker(const SignalBlocker&) = delete;
  SignalBlocker& operator=(const SignalBlocker&) = delete;

 private:
  const int number_;
  sigset_t signal_, before_;
};

}  // namespace upcr
