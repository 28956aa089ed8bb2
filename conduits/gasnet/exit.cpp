// SPDX-License-Identifier: BSD-3-Clause
// How a GASNet program ends: gasnet_exit, from anywhere; a return from main and exit(), which are the same; and
// what the other nodes see of it. The launcher ends processes, so it does not matter what they are doing.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "conduits/base/flush.hpp"
#include "conduits/gasnet/client.hpp"
#include "conduits/gasnet/environment.hpp"
#include "conduits/gasnet/signals.hpp"
#include "include/gasnet/tools/environment.h"

namespace upcr::gasnet {
namespace {

constexpr unsigned kGrace = 200;            // ms that nodes have to end by themselves after the first one
constexpr unsigned kHandlerGrace = 400;     // ms that a client's SIGQUIT handler has to call gasnet_exit
std::atomic<bool> ended_elsewhere{false};   // another node ended the job
std::atomic<bool> exiting{false};           // gasnet_exit was called here

bool in_forked_child() { return getpid() != client().pid; }

// How long the other nodes may take. GASNET_EXITTIMEOUT and its kin set an upper limit to that.
unsigned grace() {
  const double most = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_MAX", 360);
  const double least = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_MIN", 2);
  const double factor = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_FACTOR", 0.25);
  const double seconds =
      gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT", std::min(most, least + factor * gasneti_state.nodes));
  return static_cast<unsigned>(std::clamp(seconds * 1000, 1.0, static_cast<double>(kGrace)));
}

// On the bootstrap's thread, after stdio was flushed: another node ended the job.
void job_ended(int) {
  ended_elsewhere.store(true);
  if (!client_catches_quit() || exiting.load()) return;
  (void)kill(getpid(), SIGQUIT);
  const std::timespec moment{0, 1000000};
  for (unsigned ms = 0; ms < kHandlerGrace && !exiting.load(); ++ms) nanosleep(&moment, nullptr);
}

void at_exit(int status, void*) {
  if (!in_forked_child()) gasnet_exit(status);
}

}  // namespace

std::atomic<unsigned> exit_grace{kGrace};

void watch_exit() {
  exit_grace.store(grace());
  job().bootstrap->on_job_exit(job_ended);
  on_exit(at_exit, nullptr);
}

}  // namespace upcr::gasnet

using namespace upcr;
using namespace upcr::gasnet;

extern "C" void gasnet_exit(int exitcode) {
  if (client().stage.load() == Stage::kNone || in_forked_child()) {
    (void)flush_all_files();
    _exit(exitcode);
  }
  (void)signal(SIGQUIT, SIG_IGN);
  if (ended_elsewhere.load()) std::fflush(nullptr);  // the process is being ended, files were flushed before
  exiting.store(true);
  if (job_getenv("GASNET_FS_SYNC") != nullptr) sync();
  job().bootstrap->leave(exitcode & 0xff, exit_grace.load());
  __builtin_unreachable();
}
