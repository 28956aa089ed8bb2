// SPDX-License-Identifier: BSD-3-Clause
// Functions that the files of this folder share, and conduits/core/base/config; private to them.
// Async-signal-safe, but for watch_exit() and load_unwinder().
#pragma once
#include "conduits/core/base/system/text.hpp"

namespace upcr {

// The first thread that reports a fatal error owns the process's end.
enum class EndClaim { kThisThread, kOtherThread, kRecursive };
EndClaim claim_error_end() noexcept;
// For threads that came second: waits until the first one has ended the process.
[[noreturn]] void wait_for_process_end() noexcept;

// Appends " (UPC thread 3 of 4, rank 1, pid 123)": the client's words, and the pid when `with_pid`.
void add_identity(SafeText& text, bool with_pid) noexcept;
// Appends "[upcr 1/4", or "[upcr" (with " pid 123" when asked) as long as the rank is not known.
void add_log_origin(SafeText& text, bool with_pid) noexcept;

// Writes the backtrace, starting at the frame `first` (a return address, or the instruction that faulted when
// `first_is_fault`); all of it when there is no such frame.
void write_backtrace(int fd, const void* first, bool first_is_fault) noexcept;
// The backtrace of a failure, if it is wanted, by the client's function if it has one.
void report_backtrace(const void* first, bool first_is_fault) noexcept;
// Loads the unwinder, which allocates: a signal handler must find it loaded.
void load_unwinder() noexcept;
// UPCR_BACKTRACE, as configure() found it; before that, as the environment has it.
bool backtrace_wanted() noexcept;

}  // namespace upcr
