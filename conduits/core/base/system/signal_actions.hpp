// SPDX-License-Identifier: BSD-3-Clause
// What the process does at signals. Any thread.
#pragma once
#include <signal.h>

namespace upcr {

// Saves the actions of signals, and restores in its destructor those whose handlers have changed. For
// libraries that set handlers when they are loaded: a crash would be reported in their words, without the UPC
// thread and its address.
class SavedSignalActions {
 public:
  SavedSignalActions() noexcept {
    for (int signal = 1; signal < kSignals; ++signal)
      known_[signal] = sigaction(signal, nullptr, &before_[signal]) == 0;
  }
  ~SavedSignalActions() {
    for (int signal = 1; signal < kSignals; ++signal) {
      struct sigaction now {};
      if (!known_[signal] || sigaction(signal, nullptr, &now) != 0) continue;
      if (now.sa_handler != before_[signal].sa_handler) sigaction(signal, &before_[signal], nullptr);
    }
  }
  SavedSignalActions(const SavedSignalActions&) = delete;
  SavedSignalActions& operator=(const SavedSignalActions&) = delete;

 private:
  static constexpr int kSignals = 32;  // real-time signals come from nobody by default
  bool known_[kSignals] = {};
  struct sigaction before_[kSignals];
};

}  // namespace upcr
