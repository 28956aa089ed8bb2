// SPDX-License-Identifier: BSD-3-Clause
// Writing where `ulimit -f` may be in the way. Any thread; async-signal-safe.
#pragma once
#include <signal.h>

#include <ctime>

namespace upcr {

// While it lives, what this thread does to a file beyond the limit fails with EFBIG, and sends no SIGXFSZ.
class NoFileSizeSignal {
 public:
  NoFileSizeSignal() noexcept {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoFileSizeSignal() {
    if (sigismember(&before_, SIGXFSZ) != 0) return;  // whoever blocked it takes what is pending
    const timespec now{0, 0};
    while (sigtimedwait(&signal_, nullptr, &now) == SIGXFSZ) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

 private:
  sigset_t signal_, before_;
};

}  // namespace upcr
