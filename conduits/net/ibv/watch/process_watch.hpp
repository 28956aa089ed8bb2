// SPDX-License-Identifier: BSD-3-Clause
// The watch of this process, of which there is one, and how it is chosen.
#pragma once
#include <string>

#include "conduits/net/ibv/watch/change_watch.hpp"

namespace upcr::ibv {

class ProcessWatch : public ChangeWatch {
 public:
  // Main thread. remove() returns false if the listener may still be called: then it must live on.
  virtual void add(ChangeListener& listener) noexcept = 0;
  virtual bool remove(ChangeListener& listener) noexcept = 0;
  virtual const char* name() const noexcept = 0;  // the value of UPCR_IBV_WATCH that asks for it

 protected:
  ~ProcessWatch() = default;
};

// The watch that UPCR_IBV_WATCH asks for: "userfaultfd" (userfaultfd_watch.hpp), "hooks" (hook_watch.hpp),
// "auto": the first of these two that there is, or "no". Null: there is none; then *why says why. Made by the
// first call, and never ends. Main thread.
ProcessWatch* process_watch(const char* setting, std::string* why);

}  // namespace upcr::ibv
