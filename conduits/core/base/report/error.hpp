// SPDX-License-Identifier: BSD-3-Clause
// Errors and warnings. The library prints by these functions alone; the client's API says how the messages
// begin and how the job ends (client_api.hpp). Most files include this header, so it holds nothing else.
// Any thread; not from a signal handler.
#pragma once
#include <cstdarg>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// Prints prefix + message (its own line end is not needed) + identity (one write, so that lines of threads
// never mix), a backtrace, and ends the job with status 255 (the field's exit code -1). The message says
// cause, values and cure:
//   UPC Runtime error: cannot map 1 TiB: ...; lower UPC_SHARED_HEAP_SIZE (UPC thread 3 of 4, rank 1, pid 123)
// When several threads fail, each prints its message; the first one ends the job and the others wait for
// that. An error inside the reporting of an error ends the process at once.
[[noreturn]] UPCR_MODULE_API void fatal(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] UPCR_MODULE_API void vfatal(const char* format, std::va_list args);
// Like fatal() with ": strerror(errno)" appended.
[[noreturn]] UPCR_MODULE_API void fatal_errno(const char* format, ...) __attribute__((format(printf, 1, 2)));
// A line on stderr with the warning prefix; ends the job when the client says that warnings are fatal.
UPCR_MODULE_API void warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
UPCR_MODULE_API void vwarn(const char* format, std::va_list args);

}  // namespace upcr

// An invariant of the library: checked in the debug library only.
#if defined(UPCR_DEBUG) && UPCR_DEBUG
#  define UPCR_ASSERT(cond) \
    ((cond) ? (void)0 : ::upcr::fatal("internal error: %s:%d: '%s' does not hold", __FILE__, __LINE__, #cond))
#else
#  define UPCR_ASSERT(cond) ((void)0)
#endif
