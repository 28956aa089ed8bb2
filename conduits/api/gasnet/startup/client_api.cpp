// SPDX-License-Identifier: BSD-3-Clause
// GASNet as the client API of the library below: how messages are worded and how an error ends the job of a
// GASNet program.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/signals.hpp"
#include "conduits/api/gasnet/tools/tools.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/system/text.hpp"
#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "include/gasnet/tools/errors.h"

namespace upcr::gasnet {
namespace {

// "node 1/4". Also in signal handlers.
std::size_t identity(char* buf, std::size_t size) {
  if (client().stage.load() == Stage::kNone) return 0;
  SafeText text(buf, size);
  text.add("node ").add_number(gasneti_state.mynode).add("/").add_number(gasneti_state.nodes);
  return text.size();
}

void end_job(int) {
  (void)flush_all_files();
  (void)signal(SIGABRT, SIG_DFL);  // it has been reported
  std::abort();
}

bool warnings_are_fatal() { return false; }
bool catches_signal(int number) { return number != SIGQUIT && !is_excluded(number); }

// The trace is written first: nothing after the report returns here.
std::size_t signal_headline(int number, const char* name, char* buf, std::size_t size) {
  leave_trace_of_crash();
  SafeText text(buf, size);
  text.add("*** Caught a fatal signal: ").add(name).add("(").add_number(static_cast<unsigned>(number));
  text.add(") on node ").add_number(gasneti_state.mynode).add("/").add_number(gasneti_state.nodes);
  return text.size();
}

const ClientApi kGasnetApi = {
    .error_prefix = "*** FATAL ERROR: ",
    .warning_prefix = "*** WARNING: ",
    .identity = identity,
    .end_job = end_job,
    .warnings_are_fatal = warnings_are_fatal,
    .backtrace = backtrace_if_enabled,
    .launcher_client = static_cast<unsigned>(wire::Client::kGasnet),
    .segment_size_setting = "the segment's size (GASNET_MAX_SEGSIZE)",
    .debug_library = "GASNet's debug configuration, as pkg-config gasnet-smp-par-debug",
    .declares_upc_variables = false,
    .catches_signal = catches_signal,
    .signal_headline = signal_headline,
    .frozen = &gasnet_frozen,
    .frozen_name = "gasnet_frozen",
    .freeze_prefix = "GASNET_",
};

}  // namespace

void install_client_api() { set_client_api(&kGasnetApi); }

}  // namespace upcr::gasnet
