// SPDX-License-Identifier: BSD-3-Clause
// Waiting for a debugger: UPCR_FREEZE at start-up, UPCR_FREEZE_ON_ERROR in a fatal error.
// A frozen process goes on when the debugger clears `upcr_frozen`, or on SIGCONT.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "conduits/base/common_config.hpp"
#include "conduits/base/report.hpp"
#include "conduits/base/report_state.hpp"

// By this name in the debugger: `set var upcr_frozen = 0`.
extern "C" {
extern volatile sig_atomic_t upcr_frozen;
volatile sig_atomic_t upcr_frozen = 0;
}

namespace upcr {
namespace {

void thaw(int) { upcr_frozen = 0; }

void freeze(const char* variable) {
  struct sigaction action {
  }, before{};
  action.sa_handler = thaw;
  sigaction(SIGCONT, &action, &before);
  upcr_frozen = 1;

  char host[65] = "";
  gethostname(host, sizeof host - 1);
  char buf[512];
  SafeText text(buf, sizeof buf);
  add_log_origin(text, false);
  text.add("] frozen by ").add(variable).add(" on host ").add(host);
  const auto pid = static_cast<std::uint64_t>(getpid());
  text.add(": attach with 'gdb -p ").add_number(pid);
  text.add("' and 'set var upcr_frozen = 0', or go on with 'kill -CONT ").add_number(pid).add("'");
  add_identity(text, false);
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());

  const std::timespec moment{0, 100000000};
  while (upcr_frozen != 0) nanosleep(&moment, nullptr);
  sigaction(SIGCONT, &before, nullptr);
}

}  // namespace

void freeze_if_asked() {
  if (common_config().freeze) freeze("UPCR_FREEZE");
}

void freeze_on_error() noexcept {
  if (common_config().freeze_on_error) freeze("UPCR_FREEZE_ON_ERROR");
}

bool backtrace_wanted() noexcept { return common_config().backtrace; }

}  // namespace upcr
