// SPDX-License-Identifier: BSD-3-Clause
// Tells a measurement when the calling thread waits in wait_until(); a wait whose condition holds at once is
// none.
//
// Of each wait it is told when it has become long, which is after some polls, before the thread first yields
// its CPU, and when that wait is over. Whoever wants the beginning and the end of each wait on a thread says
// so on this thread: it costs more than a short wait takes.
#pragma once

namespace upcr {

using WaitEvent = void (*)();
struct WaitObserver {
  WaitEvent began, over;
  WaitEvent long_began, long_over;
};
extern WaitObserver wait_observer;                              // all of it or none
extern constinit thread_local bool observe_this_threads_waits;  // only with an observer

// Before the threads that wait exist, or never.
inline void observe_waits(const WaitObserver& observer) noexcept { wait_observer = observer; }

// A wait, from construction to destruction.
class ObservedWait {
 public:
  ObservedWait() noexcept : observed_(observe_this_threads_waits) {
    if (__builtin_expect(observed_, 0)) wait_observer.began();
  }
  ObservedWait(const ObservedWait&) = delete;
  ObservedWait& operator=(const ObservedWait&) = delete;
  ~ObservedWait() {
    if (__builtin_expect(observed_, 0)) wait_observer.over();
  }

 private:
  const bool observed_;
};

}  // namespace upcr
