// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/report/debugger.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/common_config.hpp"
#include "conduits/core/base/report/report_state.hpp"

// By this name in the debugger: `set var upcr_frozen = 0`.
extern "C" {
extern volatile sig_atomic_t upcr_frozen;
volatile sig_atomic_t upcr_frozen = 0;
}

namespace upcr {
namespace {

volatile int* volatile frozen_flag = nullptr;  // for the signal handler; one thread freezes at a time

void thaw(int) { *frozen_flag = 0; }

// `setting`: less the client's prefix.
void wait_as_client(const char* setting) noexcept {
  const ClientApi& client = client_api();
  char buf[40];
  SafeText reason(buf, sizeof buf);
  reason.add(client.freeze_prefix).add(setting);
  wait_for_debugger(buf, client.frozen != nullptr ? client.frozen : &upcr_frozen, client.frozen_name);
}

}  // namespace

void wait_for_debugger(const char* reason, volatile int* flag, const char* name) {
  struct sigaction action {
  }, before{};
  action.sa_handler = thaw;
  frozen_flag = flag;
  sigaction(SIGCONT, &action, &before);
  *flag = 1;

  char host[65] = "";
  gethostname(host, sizeof host - 1);
  char buf[512];
  SafeText text(buf, sizeof buf);
  add_log_origin(text, false);
  text.add("] frozen by ").add(reason).add(" on host ").add(host);
  const auto pid = static_cast<std::uint64_t>(getpid());
  text.add(": attach with 'gdb -p ").add_number(pid);
  text.add("' and 'set var *(int*)&")
      .add(name)
      .add(" = 0', or go on with 'kill -CONT ")
      .add_number(pid)
      .add("'");
  add_identity(text, false);
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());

  const std::timespec moment{0, 100000000};
  while (*flag != 0) nanosleep(&moment, nullptr);
  sigaction(SIGCONT, &before, nullptr);
}

void freeze_if_requested() {
  if (common_config().freeze) wait_as_client("FREEZE");
}

void freeze_on_error() noexcept {
  if (common_config().freeze_on_error) wait_as_client("FREEZE_ON_ERROR");
}

}  // namespace upcr
