// SPDX-License-Identifier: BSD-3-Clause
// The end for a mistake in the user's settings. Any thread; not from a signal handler.
#pragma once
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// As fatal() (error.hpp), but without a backtrace, which would show nothing but the runtime.
[[noreturn]] UPCR_MODULE_API void fatal_setting(const char* format, ...)
    __attribute__((format(printf, 1, 2)));

}  // namespace upcr
