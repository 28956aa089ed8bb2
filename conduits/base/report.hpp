// SPDX-License-Identifier: BSD-3-Clause
// How failures reach the user. A client face (upcr/ or conduits/gasnet/) installs its wording and its
// way of ending the job; conduits report through it and never print by themselves.
// Callable from any thread. Nothing here may be called from a signal handler except report_signal().
#pragma once
#include <cstdarg>
#include <cstddef>

#include "conduits/base/visibility.hpp"

namespace upcr {

struct Face {
  const char* error_prefix;    // "UPC Runtime error: "
  const char* warning_prefix;  // "UPC Runtime warning: "
  // Writes who speaks, for example "UPC thread 3 (rank 1 of 2)", or nothing when it is not known yet.
  std::size_t (*identity)(char* buf, std::size_t size);
  // Ends the whole job with this exit status. Does not return. Called after the message is out.
  void (*end_job)(int status);
  // True when warnings are to end the job (UPC_WARN_FATAL).
  bool (*warnings_are_fatal)();
};

// Installs the face. The argument must live as long as the process. Until one is installed messages
// carry the UPC prefixes and end_job is _exit().
UPCR_MODULE_API void set_face(const Face* face);
UPCR_MODULE_API const Face& face();

// Prints prefix + message + identity (one write, so that lines of threads never mix), a backtrace, and
// ends the job with status 255 (the field's exit code -1). The message says cause, values and cure.
[[noreturn]] UPCR_MODULE_API void fatal(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] UPCR_MODULE_API void vfatal(const char* format, std::va_list args);
// Like fatal() with ": strerror(errno)" appended.
[[noreturn]] UPCR_MODULE_API void fatal_errno(const char* format, ...) __attribute__((format(printf, 1, 2)));
// A line on stderr with the warning prefix; ends the job when the face says that warnings are fatal.
UPCR_MODULE_API void warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
UPCR_MODULE_API void vwarn(const char* format, std::va_list args);

// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT that name the signal, the
// address and the thread, print a backtrace, end the job, and leave the process dying of that signal.
// `describe_address` (may be null) turns a faulting address into words ("UPC thread 3's segment + 0x40,
// past its 64 MiB") for SIGSEGV and SIGBUS; it must be async-signal-safe.
void install_signal_reports(std::size_t (*describe_address)(const void*, char* buf, std::size_t size));

// UPCR_FREEZE / GASNET_FREEZE: prints pid and host and waits for a debugger to clear a variable.
void freeze_if_asked();
// Writes the calling thread's backtrace to stderr. Async-signal-safe.
void print_backtrace();

}  // namespace upcr

// An invariant of ours: checked in the debug library only.
#if defined(UPCR_DEBUG) && UPCR_DEBUG
#define UPCR_ASSERT(cond) \
  ((cond) ? (void)0 : ::upcr::fatal("internal error: %s:%d: '%s' does not hold", __FILE__, __LINE__, #cond))
#else
#define UPCR_ASSERT(cond) ((void)0)
#endif
