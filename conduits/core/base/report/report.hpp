// SPDX-License-Identifier: BSD-3-Clause
// How failures reach the user. A client face (upcr/ or conduits/api/gasnet/) installs its wording and its
// way of ending the job; conduits report through it and never print by themselves.
// Callable from any thread. Nothing here may be called from a signal handler except report_signal().
#pragma once
#include <cstdarg>
#include <cstddef>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

struct ClientApi {
  const char* error_prefix;    // "UPC Runtime error: "
  const char* warning_prefix;  // "UPC Runtime warning: "
  // Writes who speaks, for example "UPC thread 3 of 4, rank 1", or nothing when it is not known yet. Returns
  // the length. Must be async-signal-safe (SafeText of base/system/text.hpp is).
  std::size_t (*identity)(char* buf, std::size_t size);
  // Ends the whole job with this exit status. Does not return. Called after the message is out, on the thread
  // that failed, which may hold any lock.
  void (*end_job)(int status);
  // True when warnings are to end the job (UPC_WARN_FATAL).
  bool (*warnings_are_fatal)();
  // Tells the others that this process is about to die of a signal, where its launcher would not see that by
  // itself. May be null. Returns; must be async-signal-safe.
  void (*dying_of_signal)(int signal) = nullptr;
  // Writes the backtrace of a fatal error or signal to stderr, if one is wanted. May be null: then the
  // library writes one (print_backtrace) unless UPCR_BACKTRACE=no. On the failing thread, for a signal in its
  // handler.
  void (*backtrace)() = nullptr;
  // What the launcher is told: it speaks in the words of that client (a wire::Client of core/bootstrap).
  unsigned launcher_client = 0;
  // What sets the size of shared memory, in words: for errors whose cure is less of it.
  const char* segment_size_setting = "UPC_SHARED_HEAP_SIZE";
  // How a program gets the debug library, in words.
  const char* debug_library = "upcc -g";
  // Whether a UPCR_ variable that nobody has declared draws a warning.
  bool warns_of_unknown_variables = true;
  // Which of the fatal signals are reported at all; null: all of them. Asked by install_signal_reports().
  bool (*catches_signal)(int signal) = nullptr;
  // The first line of a fatal signal's report, without its end: writes it and returns the length; the cause
  // follows in a second line. Null: one line, error_prefix and the cause. Must be async-signal-safe.
  std::size_t (*signal_headline)(int signal, const char* name, char* buf, std::size_t size) = nullptr;
};

// Installs the face. The argument must live as long as the process. Until one is installed messages
// carry the UPC prefixes and end_job is _exit().
UPCR_MODULE_API void set_client_api(const ClientApi* face);
UPCR_MODULE_API const ClientApi& face();

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
// A line on stderr with the warning prefix; ends the job when the face says that warnings are fatal.
UPCR_MODULE_API void warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
UPCR_MODULE_API void vwarn(const char* format, std::va_list args);

// An error that one thread reports decides the process's exit status, although another thread ends the
// process meanwhile. The latter calls claim_process_end() as late as it can, before its status counts: it
// returns when no other thread reports an error, and otherwise never, because that thread ends the process.
// Errors of other threads are not reported from here on (for a second, should the process not end). exit()
// calls it by itself after its handlers. Any thread; async-signal-safe.
UPCR_MODULE_API void claim_process_end() noexcept;
// The same without claiming: before steps that the end after an error should not find done.
UPCR_MODULE_API void await_reported_error() noexcept;

// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGXFSZ that name the signal, the
// address and the thread, print a backtrace, and leave the process dying of that signal (core dump included);
// its launcher ends the job. They run on an alternate stack, so a stack overflow is reported too.
// A signal that is ignored or has a handler already (a program that embeds the runtime, a debugger's
// preload, an MPI library) is left as it is: whoever was there first meant it. A program that installs its
// own handler later replaces ours.
// `describe_address` (may be null) turns a faulting address into words ("UPC thread 3's segment + 0x40,
// past its 64 MiB") for SIGSEGV and SIGBUS, or writes nothing; it must be async-signal-safe.
// May be called again to change `describe_address`.
UPCR_MODULE_API void install_signal_reports(std::size_t (*describe_address)(const void*, char* buf,
                                                                            std::size_t size));
// Gives the calling thread the alternate stack; install_signal_reports() has done so for its caller. For
// every other thread that runs user code, at its start. Released when the thread ends.
UPCR_MODULE_API void use_signal_stack();

// UPCR_FREEZE / GASNET_FREEZE: prints pid and host and waits for a debugger to clear a variable, or SIGCONT.
UPCR_MODULE_API void freeze_if_requested();
// UPCR_FREEZE_ON_ERROR likewise.
UPCR_MODULE_API void freeze_on_error() noexcept;
// The wait itself: sets *flag, a variable that the debugger knows as `name`, and prints `reason` too.
UPCR_MODULE_API void wait_for_debugger(const char* reason, volatile int* flag, const char* name);
// Writes the calling thread's backtrace, one line a frame. Async-signal-safe after configure().
UPCR_MODULE_API void print_backtrace(int fd = 2);

}  // namespace upcr

// An invariant of ours: checked in the debug library only.
#if defined(UPCR_DEBUG) && UPCR_DEBUG
#  define UPCR_ASSERT(cond) \
    ((cond) ? (void)0 : ::upcr::fatal("internal error: %s:%d: '%s' does not hold", __FILE__, __LINE__, #cond))
#else
#  define UPCR_ASSERT(cond) ((void)0)
#endif
