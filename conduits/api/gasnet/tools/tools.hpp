// SPDX-License-Identifier: BSD-3-Clause
// The job as the tools (gasnett_* of gasnet_tools.h) see it. They are in two libraries: libgasnet_tools,
// where there is no job, and libgasnet, whose start-up describes the job to them.
#pragma once

namespace upcr::gasnet {

struct ToolsJob {
  // The value of a variable where the job was launched, or null.
  char* (*getenv)(const char* name) = nullptr;
  // The program has changed a variable of this process (a null value: removed it).
  void (*changed)(const char* name, const char* value) = nullptr;
  // True: this process reports what it reads from the environment (GASNET_VERBOSEENV).
  bool reports = true;
  // The process's number in the job; -1: not known.
  long node = -1;
};

// For the job's start-up, while the process has one thread.
void set_tools_job(const ToolsJob& job);
const ToolsJob& tools_job() noexcept;

// Messages of a library without a job: fatal errors in GASNet's words, ending in abort().
void install_tools_client_api();
// For a client API of libgasnet: the backtrace of a fatal error, with GASNET_BACKTRACE=yes.
void backtrace_if_enabled();
// Reads GASNET_BACKTRACE and GASNET_BACKTRACE_NODES of a job again. Not in handlers of signals.
void read_backtrace_choice();

}  // namespace upcr::gasnet
