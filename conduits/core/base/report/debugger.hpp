// SPDX-License-Identifier: BSD-3-Clause
// Stopping a process until a debugger is attached. It goes on when the debugger clears a variable, or on
// SIGCONT. Any thread, one at a time.
#pragma once
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// UPCR_FREEZE / GASNET_FREEZE: prints pid and host, and waits.
UPCR_MODULE_API void freeze_if_requested();
// UPCR_FREEZE_ON_ERROR likewise.
UPCR_MODULE_API void freeze_on_error() noexcept;
// The wait itself: sets *flag, a variable that the debugger knows as `name`, and prints `reason` too.
UPCR_MODULE_API void wait_for_debugger(const char* reason, volatile int* flag, const char* name);

}  // namespace upcr
