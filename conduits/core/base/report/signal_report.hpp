// SPDX-License-Identifier: BSD-3-Clause
// Reports of fatal signals. Any thread; not from a signal handler.
#pragma once
#include <cstddef>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGXFSZ that name the signal, the
// address and the thread, print a backtrace, and leave the process dying of that signal (core dump included);
// its launcher ends the job. They run on an alternate stack, so a stack overflow is reported too.
// A signal that is ignored or has a handler already (of a program that embeds the runtime, a debugger's
// preload, an MPI library) keeps it. A program that installs a handler later replaces this one.
// `describe_address` (may be null) turns a faulting address into words ("UPC thread 3's segment + 0x40,
// past its 64 MiB") for SIGSEGV and SIGBUS, or writes nothing; it must be async-signal-safe.
// May be called again to change `describe_address`.
UPCR_MODULE_API void install_signal_reports(std::size_t (*describe_address)(const void*, char* buf,
                                                                            std::size_t size));
// Called when a signal that ends the process has been reported, in its handler; async-signal-safe. One for
// the process: that of its launcher's link.
void set_crash_notice(void (*notify)(int signal) noexcept) noexcept;
// Gives the calling thread the alternate stack; install_signal_reports() has done so for its caller. Every
// other thread that runs user code calls it at its start. Released when the thread ends.
UPCR_MODULE_API void use_signal_stack();

}  // namespace upcr
