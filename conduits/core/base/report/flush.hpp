// SPDX-License-Identifier: BSD-3-Clause
// The output that the program has buffered, on the way out. Any thread; not from a signal handler.
#pragma once
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// As fflush(nullptr), but gives up after a second: fflush(nullptr) wants the lock of every stream, and a
// thread that waits for input holds one. False: gave up, the process must end by _exit() without delay.
UPCR_MODULE_API bool flush_all_files();

// Writes standard output's buffer, and returns the status that the process is to end with: `status`, or 74
// (EX_IOERR of <sysexits.h>) in place of 0, after a message with the cause, when the output cannot be
// written, as on a full disk. A reader that has left, a stream that the program has closed, and one that
// another thread holds count for nothing.
UPCR_MODULE_API int status_after_output(int status);

}  // namespace upcr
