// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/listeners.hpp"

#include <sched.h>

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

void ChangeListeners::remove(ChangeListener& listener) noexcept {
  for (std::atomic<ChangeListener*>& place : places_)
    if (place.load(std::memory_order_relaxed) == &listener) place.store(nullptr, std::memory_order_seq_cst);
  while (notifying_.load(std::memory_order_seq_cst) != 0) sched_yield();
}

void ChangeListeners::notify(std::uintptr_t begin, std::uintptr_t end) noexcept {
  notifying_.fetch_add(1, std::memory_order_seq_cst);
  for (const std::atomic<ChangeListener*>& place : places_)
    if (ChangeListener* listener = place.load(std::memory_order_seq_cst)) listener->changed(begin, end);
  notifying_.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace upcr::ibv
