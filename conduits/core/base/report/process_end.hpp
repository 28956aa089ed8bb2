// SPDX-License-Identifier: BSD-3-Clause
// Which thread ends the process, and with which status: an error that one thread reports decides the exit
// status, although another thread ends the process meanwhile. Any thread; async-signal-safe.
#pragma once
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// A thread that ends the process calls this as late as it can, before its status counts. Returns when no
// other thread reports an error, and otherwise never, because that thread ends the process. Errors of other
// threads are not reported from here on (for a second, should the process not end). exit() calls it after
// its handlers.
UPCR_MODULE_API void claim_process_end() noexcept;
// The same without waiting: false when another thread reports an error, and ends the process.
bool try_claim_process_end() noexcept;
// The same without claiming: before steps that the end after an error should not find done.
UPCR_MODULE_API void await_reported_error() noexcept;

// Called, once or more often, by a thread that ends the process without an error. Set before threads exist,
// or never; async-signal-safe.
void on_process_end(void (*event)()) noexcept;

}  // namespace upcr
