// SPDX-License-Identifier: BSD-3-Clause
// The end of a GASNet program: gasnet_exit() in any context, and exit() or a return from main, which do the
// same; and the end that another node has started. The launcher ends processes, whatever they are doing.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/environment.hpp"
#include "conduits/api/gasnet/state/signals.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/report/flush.hpp"
#include "include/gasnet/tools/environment.h"

namespace upcr::gasnet {
namespace {

// For the other nodes to end by themselves after the first one, in ms.
constexpr unsigned kGrace = 2000;          // with code 0, unless the user sets it
constexpr unsigned kFailureGrace = 200;    // at most, with any other code
constexpr unsigned kHandlerGrace = 400;    // ms for a client's SIGQUIT handler to call gasnet_exit
std::atomic<bool> ended_elsewhere{false};  // another node ended the job
std::atomic<bool> exiting{false};          // gasnet_exit was called here

// Read by gasnet_init(): gasnet_exit may be called in a signal handler, where the interrupted thread may hold
// the environment's lock.
std::atomic<unsigned> exit_grace{kGrace};
std::atomic<bool> sync_files{false};

bool is_set(const char* name) {
  const char* value = job_getenv(name);
  return value != nullptr && *value != '\0';
}

// GASNET_EXITTIMEOUT, or the formula of GASNET_EXITTIMEOUT_*, in ms.
unsigned grace() {
  const bool by_formula = is_set("GASNET_EXITTIMEOUT_MAX") || is_set("GASNET_EXITTIMEOUT_MIN") ||
                          is_set("GASNET_EXITTIMEOUT_FACTOR");
  const double max = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_MAX", 360);
  const double min = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_MIN", 2);
  const double factor = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_FACTOR", 0.25);
  const double usual = by_formula ? std::min(max, min + factor * gasneti_state.nodes) : kGrace / 1000.0;
  const double seconds = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT", usual);
  constexpr double kDay = 86400;
  return seconds > 0 ? static_cast<unsigned>(std::clamp(std::min(seconds, kDay) * 1000, 1.0, kDay * 1000))
                     : 1;
}

bool wants_sync() {
  const char* value = job_getenv("GASNET_FS_SYNC");
  gasnett_envstr_display("GASNET_FS_SYNC", value, value == nullptr);
  bool yes = false;
  return value != nullptr && parse_bool(value, &yes) && yes;
}

// On the bootstrap's thread, after stdio was flushed: another node ended the job.
void job_ended(int) {
  ended_elsewhere.store(true);
  end_trace();
  if (!client_catches_quit() || exiting.load()) return;
  (void)kill(getpid(), SIGQUIT);
  const std::timespec moment{0, 1000000};
  for (unsigned ms = 0; ms < kHandlerGrace && !exiting.load(); ++ms) nanosleep(&moment, nullptr);
}

void at_exit(int status, void*) {
  if (!in_forked_child()) gasnet_exit(status);
}

}  // namespace

void watch_exit() {
  exit_grace.store(grace());
  sync_files.store(wants_sync());
  job().bootstrap->on_job_exit(job_ended);
  on_exit(at_exit, nullptr);
}

extern "C" GASNETI_API void gasnet_exit(int exitcode) {
  if (client().stage.load() == Stage::kNone || in_forked_child()) {
    (void)flush_all_files();
    _exit(exitcode);
  }
  (void)signal(SIGQUIT, SIG_IGN);
  if (ended_elsewhere.load()) std::fflush(nullptr);  // the process is being ended, files were flushed before
  exiting.store(true);
  end_trace();
  if (sync_files.load()) sync();
  const int status = exitcode & 0xff;
  const unsigned grace = exit_grace.load();
  job().bootstrap->leave(status, status == 0 ? grace : std::min(grace, kFailureGrace));
  __builtin_unreachable();
}

}  // namespace upcr::gasnet
