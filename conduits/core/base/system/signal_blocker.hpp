// SPDX-License-Identifier: BSD-3-Clause
// Writing to files that may reach the limit of `ulimit -f`. Any thread; async-signal-safe.
#pragma once
#include <signal.h>

#include <ctime>

namespace upcr {

// While it lives, a write of this thread beyond the limit fails with EFBIG and sends no SIGXFSZ.
class FileSizeSignalBlocker {
 public:
  FileSizeSignalBlocker() noexcept {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileSizeSignalBlocker() {
    if (sigismember(&before_, SIGXFSZ) != 0) return;  // blocked by the caller, which gets the signal later
    const timespec now{0, 0};
    while (sigtimedwait(&signal_, nullptr, &now) == SIGXFSZ) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalBlocker(const FileSizeSignalBlocker&) = delete;
  FileSizeSignalBlocker& operator=(const FileSizeSignalBlocker&) = delete;

 private:
  sigset_t signal_, before_;
};

}  // namespace upcr
