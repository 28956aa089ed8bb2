// SPDX-License-Identifier: BSD-3-Clause
// Backtraces for people. Any thread.
#pragma once
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// Writes the calling thread's backtrace, one line a frame. Async-signal-safe after configure().
UPCR_MODULE_API void print_backtrace(int fd = 2);

}  // namespace upcr
