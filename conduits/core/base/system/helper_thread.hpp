// SPDX-License-Identifier: BSD-3-Clause
// The library's threads beside the program's. They block all signals, which belong to the program's threads,
// and their stacks have sizes of their own, because a default stack is as large as `ulimit -s`, which may be
// a few KiB, or too much for `ulimit -v`.
#pragma once
#include <pthread.h>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

enum class HelperStack {
  kOwn,     // 256 KiB: runs the library's code only
  kClient,  // the default, and 1 MiB at least: runs the program's handlers, or another library
};

// As pthread_create(): returns 0 or the error. The program's thread-local data lies on the stack, too: where
// the size does not suffice for it, the stack is made larger. Any thread.
UPCR_MODULE_API int start_helper_thread(pthread_t* thread, HelperStack stack, void* (*body)(void*),
                                        void* argument);

}  // namespace upcr
