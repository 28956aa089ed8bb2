// SPDX-License-Identifier: BSD-3-Clause
// What the tools know of the job, if there is one. The tools (gasnett_* of gasnet_tools.h) are in two
// libraries: libgasnet_tools, where there never is a job, and libgasnet, whose start-up tells them about it.
#pragma once

namespace upcr::gasnet {

struct ToolsJob {
  // The value of a variable where the job was launched, or null.
  char* (*getenv)(const char* name) = nullptr;
  // The program has changed a variable of this process (a null value: removed it).
  void (*changed)(const char* name, const char* value) = nullptr;
  // True: this process reports what it reads from the environment (GASNET_VERBOSEENV).
  bool speaks = true;
  // Its number, -1: not known.
  long node = -1;
};

// Any thread; the job's start-up, before there are others.
void set_tools_job(const ToolsJob& job);
const ToolsJob& tools_job() noexcept;

// Messages of a library without a job: fatal errors in GASNet's words, ending in abort().
void install_tools_client_api();
// For a face of libgasnet: the backtrace of a fatal error, with GASNET_BACKTRACE=yes.
void backtrace_if_enabled();
// Reads GASNET_BACKTRACE and GASNET_BACKTRACE_NODES of a job again. Not in handlers of signals.
void read_backtrace_choice();

}  // namespace upcr::gasnet
