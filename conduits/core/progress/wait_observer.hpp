// SPDX-License-Identifier: BSD-3-Clause
// Tells a measurement when the calling thread waits in wait_until(). Set before the threads that wait exist,
// or never; a wait whose condition holds at once is none.
#pragma once

namespace upcr {

using WaitEvent = void (*)();
extern WaitEvent wait_began_event, wait_over_event;  // both or none

inline void observe_waits(WaitEvent began, WaitEvent over) noexcept {
  wait_began_event = began;
  wait_over_event = over;
}

// A wait, from construction to destruction.
class ObservedWait {
 public:
  ObservedWait() noexcept {
    if (__builtin_expect(wait_began_event != nullptr, 0)) wait_began_event();
  }
  ObservedWait(const ObservedWait&) = delete;
  ObservedWait& operator=(const ObservedWait&) = delete;
  ~ObservedWait() {
    if (__builtin_expect(wait_over_event != nullptr, 0)) wait_over_event();
  }
};

}  // namespace upcr
