// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/listeners.hpp"

#include <sched.h>

#include <chrono>

#include "conduits/core/base/report/error.hpp"

namespace upcr::ibv {

void ChangeListeners::add(ChangeListener& listener) noexcept {
  for (std::atomic<ChangeListener*>& place : places_) {
    if (place.load(std::memory_order_relaxed) != nullptr) continue;
    place.store(&listener, std::memory_order_seq_cst);
    return;
  }
  fatal("internal error: more than %u listeners for changes of memory", kMost);
}

bool ChangeListeners::remove(ChangeListener& listener) noexcept {
  for (std::atomic<ChangeListener*>& place : places_)
    if (place.load(std::memory_order_relaxed) == &listener) place.store(nullptr, std::memory_order_seq_cst);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point limit = Clock::now() + std::chrono::seconds(1);
  while (notifying_.load(std::memory_order_seq_cst) != 0) {
    if (Clock::now() > limit) return false;
    sched_yield();
  }
  return true;
}

void ChangeListeners::notify(std::uintptr_t begin, std::uintptr_t end) noexcept {
  notifying_.fetch_add(1, std::memory_order_seq_cst);
  for (const std::atomic<ChangeListener*>& place : places_)
    if (ChangeListener* listener = place.load(std::memory_order_seq_cst)) listener->changed(begin, end);
  notifying_.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace upcr::ibv
