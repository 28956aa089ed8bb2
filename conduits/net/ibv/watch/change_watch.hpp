// SPDX-License-Identifier: BSD-3-Clause
// The interface between those who need to know that memory of the program has changed its pages and the
// watcher that notices it (process_watch.hpp).
#pragma once
#include <cstdint>

namespace upcr::ibv {

class ChangeListener {
 public:
  // The pages at [begin, end) have been unmapped, moved or discarded, or are about to be. Called while
  // the thread that changes them waits, on the watcher's thread, or by the thread itself, then also several
  // at once and in handlers of signals: takes no lock, allocates and frees no memory, keeps errno.
  virtual void changed(std::uintptr_t begin, std::uintptr_t end) noexcept = 0;

 protected:
  ~ChangeListener() = default;
};

class ChangeWatch {
 public:
  // True: the listeners know every change of watched memory that any thread had made before this call, also
  // one whose system call has not returned yet. False: it would take longer to find out.
  virtual bool events_drained() noexcept = 0;
  // Reports changes of [begin, end), whole pages that are mapped, from now on. False: this memory cannot be
  // watched. Called after events_drained().
  virtual bool watch(std::uintptr_t begin, std::uintptr_t end) noexcept = 0;
  // True: all changes that the listeners have been told of have been made. False: perhaps not, so that pages
  // which a transfer does not own may still be those that go.
  virtual bool changes_are_made() noexcept { return false; }

 protected:
  ~ChangeWatch() = default;
};

}  // namespace upcr::ibv
