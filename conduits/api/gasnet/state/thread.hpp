// SPDX-License-Identifier: BSD-3-Clause
// The debug library's state of a thread, for the rules of handlers and locks. A thread accesses its own only.
#pragma once
#include "conduits/core/am/engine.hpp"
#include "include/gasnet/hsl.h"

namespace upcr::gasnet {

struct ThreadRules {
  gasnet_hsl_t* held = nullptr;         // the lock acquired last; the others through `below`
  gasnet_hsl_t* held_before = nullptr;  // when the running handler started
  bool no_interrupts = false;
};
extern thread_local ThreadRules thread_rules __attribute__((tls_model("initial-exec")));

// `function` may run handlers: fatal in a handler, with a lock held, or between hold and resume.
void require_free_thread(const char* function);
// `function` replies: fatal when the handler holds a lock.
void require_no_lock(const char* function);

// The same in the debug library only.
inline void check_free_thread([[maybe_unused]] const char* function) {
#ifdef UPCR_DEBUG
  require_free_thread(function);
#endif
}
inline void check_no_lock([[maybe_unused]] const char* function) {
#ifdef UPCR_DEBUG
  require_no_lock(function);
#endif
}

}  // namespace upcr::gasnet
