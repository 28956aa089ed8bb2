// SPDX-License-Identifier: BSD-3-Clause
// The output that the program has buffered, on the way out. Any thread; not from a signal handler.
#pragma once
#include "conduits/base/visibility.hpp"

namespace upcr {

// As fflush(nullptr), but gives up after a second: fflush(nullptr) wants the lock of every stream, and a
// thread that waits for input holds one. False: gave up, the process must end by _exit() without delay.
UPCR_MODULE_API bool flush_all_files();

}  // namespace upcr
