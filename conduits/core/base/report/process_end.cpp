// SPDX-License-Identifier: BSD-3-Clause
// Which thread ends the process, and the process's status when exit() ends it. Any thread.
#include "conduits/core/base/report/process_end.hpp"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <ctime>

#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/report/report_state.hpp"

namespace upcr {
namespace {

constexpr int kEndTimeoutMs = 1000;  // for a thread that has claimed the process's end

// Which thread ends the process: 0 none yet, a thread's id when it reports an error, the negative id when it
// ends the process with a status of its own (claim_process_end()).
constinit std::atomic<int> ender{0};

void (*end_event)() = nullptr;

pid_t client_process = 0;  // the process that has a client; a forked child has not

// The status that exit() was called with, as other processes see it; -1 before that.
constinit std::atomic<int> exit_status{-1};

// Whether this value of `ender` is another thread of this process that reports an error. A forked child has
// none of its parent's other threads.
bool is_other_reporter(int owner) noexcept {
  return owner > 0 && owner != gettid() && tgkill(getpid(), owner, 0) == 0;
}

// A handler of exit() that calls exit() again changes the status; the handlers before it see the new one.
void note_exit(int status, void*) { exit_status.store(status & 0377); }

// exit() has run all handlers that the program and the library registered. dlclose() comes here too, and does
// not end the process.
__attribute__((destructor)) void at_library_end() {
  const int status = exit_status.load();
  if (status < 0) return;
  claim_process_end();
  if (client_process != getpid()) return;
  const int instead = status_after_output(status);
  if (instead == status) return;
  (void)flush_all_files();
  _exit(instead);
}

}  // namespace

void watch_exit() {
  static std::atomic<bool> watched{false};
  if (!watched.exchange(true)) on_exit(note_exit, nullptr);
  client_process = getpid();
}

bool is_forked_child() noexcept { return client_process != 0 && client_process != getpid(); }

bool error_is_reported() noexcept { return ender.load(std::memory_order_acquire) > 0; }

EndClaim claim_error_end() noexcept {
  const int me = gettid();
  int owner = 0;
  for (int ms = 0; !ender.compare_exchange_strong(owner, me, std::memory_order_acq_rel); ++ms) {
    if (owner == me) return EndClaim::kRecursive;
    if (owner > 0) return EndClaim::kOtherThread;
    if (owner == -me || ms >= kEndTimeoutMs) continue;  // that end has failed, or does not come: replace it
    // The process has been over since before this error, and its status has been given.
    const std::timespec moment{0, 1000000};
    nanosleep(&moment, nullptr);
    owner = 0;
  }
  return EndClaim::kThisThread;
}

void await_reported_error() noexcept {
  if (is_other_reporter(ender.load(std::memory_order_acquire))) wait_for_process_end();
}

void on_process_end(void (*event)()) noexcept { end_event = event; }

bool try_claim_process_end() noexcept {
  int owner = 0;
  if (!ender.compare_exchange_strong(owner, -gettid(), std::memory_order_acq_rel) && is_other_reporter(owner))
    return false;
  if (end_event != nullptr && owner <= 0) end_event();
  return true;
}

void claim_process_end() noexcept {
  if (!try_claim_process_end()) wait_for_process_end();
}

void wait_for_process_end() noexcept {
  // No backstop: the owner may be frozen for a debugger, and always ends the process otherwise.
  for (;;) pause();
}

}  // namespace upcr
