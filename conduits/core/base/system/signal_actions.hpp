// SPDX-License-Identifier: BSD-3-Clause
// What the process does at signals. Any thread.
#pragma once
#include <signal.h>

namespace upcr {

// While it lives others may set handlers; then what was set before is set again. For libraries that bring
// handlers of their own when they are loaded: a crash would be told in their words, without the UPC thread
// and its address.
class SignalActionsKeeper {
 public:
  SignalActionsKeeper() noexcept {
    for (int signal = 1; signal < kSignals; ++signal)
      known_[signal] = sigaction(signal, nullptr, &before_[signal]) == 0;
  }
  ~SignalActionsKeeper() {
    for (int signal = 1; signal < kSignals; ++signal) {
      struct sigaction now {};
      if (!known_[signal] || sigaction(signal, nullptr, &now) != 0) continue;
      if (now.sa_handler != before_[signal].sa_handler) sigaction(signal, &before_[signal], nullptr);
    }
  }
  SignalActionsKeeper(const SignalActionsKeeper&) = delete;
  SignalActionsKeeper& operator=(const SignalActionsKeeper&) = delete;

 private:
  static constexpr int kSignals = 32;  // real-time signals come from nobody by default
  bool known_[kSignals] = {};
  struct sigaction before_[kSignals];
};

}  // namespace upcr
