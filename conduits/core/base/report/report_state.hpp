// SPDX-License-Identifier: BSD-3-Clause
// Functions that the files of this folder share, and conduits/core/base/config; private to them.
// Async-signal-safe, but for watch_exit() and load_unwinder().
#pragma once
#include <string_view>

#include "conduits/core/base/system/terminal.hpp"
#include "conduits/core/base/system/text.hpp"

namespace upcr {

// The first thread that reports a fatal error ends the process.
enum class EndClaim {
  kThisThread,   // it ends the process, and no other thread does
  kOtherThread,  // another thread reports an error and ends the process
  kRecursive,    // this thread was reporting an error already
};
EndClaim claim_error_end() noexcept;
// Whether a thread of this process, perhaps this one, reports an error.
bool error_is_reported() noexcept;
// For threads that do not end the process: waits until another one has.
[[noreturn]] void wait_for_process_end() noexcept;
// From now on the status given to exit() is known at the library's end, and lost output changes it. For the
// process that has a client, not its forked children.
void watch_exit();

// Whether this process is a child that the client's process forked: it is no part of the job.
bool is_forked_child() noexcept;

// Appends " (UPC thread 3 of 4, rank 1, pid 123)": the client's words, and the pid when `with_pid`.
void add_identity(SafeText& text, bool with_pid) noexcept;
// Appends "[upcr 1/4", or "[upcr" (with " pid 123" when asked) as long as the rank is not known.
void add_log_origin(SafeText& text, bool with_pid) noexcept;

// Writes an error or a warning to stderr: prefix, message, and who reports it.
void write_message(std::string_view message, bool with_identity, Colour colour) noexcept;

// Does not return where another process prints the errors of this moment (fatal_filter.hpp).
void leave_error_to_another() noexcept;
// A line that says how many have done so, in the process that prints.
void report_other_errors() noexcept;

// Writes the backtrace, starting at the frame `first` (a return address, or the instruction that faulted when
// `first_is_fault`); all of it when there is no such frame.
void write_backtrace(int fd, const void* first, bool first_is_fault) noexcept;
// The backtrace of a failure, if it is wanted, by the client's function if it has one.
void report_backtrace(const void* first, bool first_is_fault) noexcept;
// Loads the unwinder, which allocates: a signal handler must find it loaded.
void load_unwinder() noexcept;

}  // namespace upcr
