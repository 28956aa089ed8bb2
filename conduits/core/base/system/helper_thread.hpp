// SPDX-License-Identifier: BSD-3-Clause
// Threads of the library's own, beside the program's. Signals belong to the program's threads, so these take
// none; and their stacks have sizes of their own, because a default stack is as large as `ulimit -s`, which
// may be a few KiB, or too much for `ulimit -v`.
#pragma once
#include <pthread.h>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

enum class HelperStack {
  kOwn,     // 256 KiB: runs the library's code only
  kClient,  // the default, and 1 MiB at least: runs handlers of the program's, or another library
};

// As pthread_create(): 0 or the error. The program's thread-local data lies on the stack, too: where the size
// does not do for that, a larger one is taken. Any thread.
UPCR_MODULE_API int start_helper_thread(pthread_t* thread, HelperStack stack, void* (*body)(void*),
                                        void* argument);

}  // namespace upcr
