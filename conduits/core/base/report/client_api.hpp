// SPDX-License-Identifier: BSD-3-Clause
// The client API: how messages are worded and how an error ends the job, for the interface that the program
// uses, UPC's or GASNet's. upcr/ and conduits/api/gasnet/ install one each.
#pragma once
#include <cstddef>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

struct ClientApi {
  const char* error_prefix;    // "UPC Runtime error: "
  const char* warning_prefix;  // "UPC Runtime warning: "
  // Writes the name of the calling thread or process, for example "UPC thread 3 of 4, rank 1", or nothing
  // when it is not known yet. Returns the length. Must be async-signal-safe (SafeText of base/system/text.hpp
  // is).
  std::size_t (*identity)(char* buf, std::size_t size);
  // Ends the whole job with this exit status. Does not return. Called after the message is out, on the thread
  // that failed, which may hold any lock.
  void (*end_job)(int status);
  // True when warnings are to end the job (UPC_WARN_FATAL).
  bool (*warnings_are_fatal)();
  // Writes the backtrace of a fatal error or signal to stderr, if one is wanted. May be null: then the
  // library writes one (print_backtrace) unless UPCR_BACKTRACE=no. On the failing thread, for a signal in its
  // handler.
  void (*backtrace)() = nullptr;
  // A wire::Client of core/bootstrap, for the launcher, whose messages use that client's terms.
  unsigned launcher_client = 0;
  // The setting of the size of shared memory, in words: for errors whose cure is less of it.
  const char* segment_size_setting = "UPC_SHARED_HEAP_SIZE";
  // How a program gets the debug library, in words.
  const char* debug_library = "upcc -g";
  // Whether the tables of variables have those of UPC programs, so that a UPCR_ or UPC_ variable that none
  // declares may draw a warning.
  bool declares_upc_variables = true;
  // Which of the fatal signals are reported at all; null: all of them. Called by install_signal_reports().
  bool (*catches_signal)(int signal) = nullptr;
  // The first line of a fatal signal's report, without its end: writes it and returns the length; the cause
  // follows in a second line. Null: one line, error_prefix and the cause. Must be async-signal-safe.
  std::size_t (*signal_headline)(int signal, const char* name, char* buf, std::size_t size) = nullptr;
  // Where the process waits for a debugger (UPCR_FREEZE): the variable of the program that the debugger
  // clears, with its name, and the start of the names of the settings that ask for it. Null: upcr_frozen.
  volatile int* frozen = nullptr;
  const char* frozen_name = "upcr_frozen";
  const char* freeze_prefix = "UPCR_";
  // Writes what each thread of this process does to stderr, a line for each, for the report of SIGQUIT. May
  // be null; must be async-signal-safe.
  void (*write_threads)() = nullptr;
};

// Installs the client's API. The argument must live as long as the process. Until one is installed messages
// carry the UPC prefixes and end_job is _exit(). Any thread.
UPCR_MODULE_API void set_client_api(const ClientApi* api);
UPCR_MODULE_API const ClientApi& client_api();

}  // namespace upcr
