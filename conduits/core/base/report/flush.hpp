// SPDX-License-Identifier: BSD-3-Clause
// Writing the output that the program has buffered, when the process ends. Any thread; not from a signal
// handler.
#pragma once
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// As fflush(nullptr), but gives up after a second: fflush(nullptr) locks every stream, and a thread that
// waits for input holds such a lock. False: it gave up, and the process must end by _exit() without delay.
UPCR_MODULE_API bool flush_all_files();

// Writes standard output's buffer, and returns the status that the process is to end with: `status`, or 74
// (EX_IOERR of <sysexits.h>) in place of 0, after a message with the cause, when the output cannot be
// written, as on a full disk. It is no failure when the reader has closed its end, the program has closed the
// stream, or another thread holds its lock.
UPCR_MODULE_API int status_after_output(int status);

}  // namespace upcr
