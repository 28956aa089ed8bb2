// SPDX-License-Identifier: BSD-3-Clause
// Those who want to know which memory has changed.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/net/ibv/watch/change_watch.hpp"

namespace upcr::ibv {

class ChangeListeners {
 public:
  // The listener is not called any more when remove() returns. Main thread.
  void add(ChangeListener& listener) noexcept;
  void remove(ChangeListener& listener) noexcept;

  // Calls all of them. Any thread, also several at once, and in handlers of signals: without a lock.
  void notify(std::uintptr_t begin, std::uintptr_t end) noexcept;

 private:
  static constexpr unsigned kMost = 16;
  std::atomic<ChangeListener*> places_[kMost] = {};
  std::atomic<std::uint32_t> notifying_{0};  // threads in notify()
};

}  // namespace upcr::ibv
