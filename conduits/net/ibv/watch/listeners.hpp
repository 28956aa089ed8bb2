// SPDX-License-Identifier: BSD-3-Clause
// Those who want to know which memory has changed.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/net/ibv/watch/change_watch.hpp"

namespace upcr::ibv {

class ChangeListeners {
 public:
  // Main thread.
  void add(ChangeListener& listener) noexcept;
  // True: the listener is not called any more. False: a thread has been in notify() for a second and may be
  // in the listener, which must live on. So it is where a handler of a signal interrupted notify() and has
  // called exit(), or has left it by siglongjmp().
  bool remove(ChangeListener& listener) noexcept;

  // Calls all of them. Any thread, also several at once, and in handlers of signals: without a lock.
  void notify(std::uintptr_t begin, std::uintptr_t end) noexcept;

 private:
  static constexpr unsigned kMost = 16;
  std::atomic<ChangeListener*> places_[kMost] = {};
  std::atomic<std::uint32_t> notifying_{0};  // threads in notify()
};

}  // namespace upcr::ibv
