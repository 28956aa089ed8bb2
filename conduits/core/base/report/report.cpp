// SPDX-License-Identifier: BSD-3-Clause
// Fatal errors and warnings. Any thread.
#include "conduits/core/base/report/report.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "conduits/core/base/report/common_config.hpp"
#include "conduits/core/base/report/fatal_filter.hpp"
#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/report/report_state.hpp"
#include "conduits/core/base/system/file_limit.hpp"

namespace upcr {
namespace {

constexpr int kFatalStatus = 255;           // exit(-1)
constexpr std::size_t kMessageSize = 4096;  // longer messages are cut
constexpr int kEndTakesMs = 1000;           // for a thread that has claimed the process's end

std::size_t no_identity(char*, std::size_t) { return 0; }
bool warnings_only_warn() { return false; }

constinit const ClientApi default_client_api{"UPC Runtime error: ", "UPC Runtime warning: ", no_identity,
                                             _exit, warnings_only_warn};
constinit std::atomic<const ClientApi*> current_client_api{&default_client_api};

pid_t face_owner = 0;  // the process that has a client; a forked child has not

// Which thread ends the process: 0 none yet, a thread's id when it reports an error, the negative id when it
// ends the process with a status of its own (claim_process_end()).
constinit std::atomic<int> ender{0};

constinit std::atomic<bool (*)()> fatal_filter{nullptr};
constinit std::atomic<bool> prints_for_others{false};
constexpr unsigned kEndedWithin = 10;  // seconds, by the process that prints the error instead

void add_formatted(SafeText& text, const char* format, std::va_list args) {
  const int n = std::vsnprintf(text.end(), text.left(), format, args);
  if (n > 0) text.skip(static_cast<std::size_t>(n));
}

// Asked before the error claims the process's end: the job may end meanwhile, and this process with it. A
// thread that fails second does not ask, nor one whose reporting fails.
bool another_process_prints() {
  const auto may_print = fatal_filter.load(std::memory_order_acquire);
  if (may_print == nullptr || ender.load(std::memory_order_acquire) > 0) return false;
  if (!may_print()) return true;
  prints_for_others.store(true);
  return false;
}

// That process ends the job; a launcher would kill it if this one left by itself while it is frozen.
[[noreturn]] void wait_for_job_end() {
  if (common_config().freeze_on_error) wait_for_process_end();
  for (unsigned left = kEndedWithin; left != 0;) left = sleep(left);
  _exit(kFatalStatus);
}

// Prints the message and ends the process. `caller`: where the backtrace starts.
[[noreturn]] void report_fatal(const char* format, std::va_list args, const char* cause, const void* caller) {
  if (another_process_prints()) wait_for_job_end();
  const EndClaim death = claim_error_end();
  char buf[kMessageSize];
  SafeText text(buf, sizeof buf);
  text.add(face().error_prefix);
  add_formatted(text, format, args);
  text.trim();
  if (cause != nullptr) text.add(": ").add(cause);
  if (death != EndClaim::kRecursive) add_identity(text, true);  // what failed may be the face
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
  switch (death) {
    case EndClaim::kOtherThread:
      wait_for_process_end();
    case EndClaim::kRecursive:
      _exit(kFatalStatus);  // an error while an error was being reported
    case EndClaim::kThisThread:
      break;
  }
  report_backtrace(caller, false);
  freeze_on_error();
  face().end_job(kFatalStatus);
  _exit(kFatalStatus);  // should a face's end_job return
}

// The status that exit() was called with, as others see it; -1 before that.
constinit std::atomic<int> exit_status{-1};

// A handler of exit() that calls exit() again changes the status; the handlers before it see the new one.
void note_exit(int status, void*) { exit_status.store(status & 0377); }

// exit() has run all handlers that the program and the library registered. dlclose() comes here too, and does
// not end the process.
__attribute__((destructor)) void at_library_end() {
  const int status = exit_status.load();
  if (status < 0) return;
  claim_process_end();
  if (face_owner != getpid()) return;
  const int instead = status_after_output(status);
  if (instead == status) return;
  (void)flush_all_files();
  _exit(instead);
}

}  // namespace

void set_client_api(const ClientApi* face) {
  static std::atomic<bool> noted{false};
  if (!noted.exchange(true)) on_exit(note_exit, nullptr);
  face_owner = getpid();
  current_client_api.store(face, std::memory_order_release);
}
const ClientApi& face() { return *current_client_api.load(std::memory_order_acquire); }

void fatal(const char* format, ...) {
  std::va_list args;
  va_start(args, format);
  report_fatal(format, args, nullptr, __builtin_return_address(0));
}

void vfatal(const char* format, std::va_list args) {
  report_fatal(format, args, nullptr, __builtin_return_address(0));
}

void fatal_errno(const char* format, ...) {
  char buf[128];
  const char* cause = strerror_r(errno, buf, sizeof buf);
  std::va_list args;
  va_start(args, format);
  report_fatal(format, args, cause, __builtin_return_address(0));
}

void set_fatal_filter(bool (*may_print)()) { fatal_filter.store(may_print, std::memory_order_release); }

void linger_after_fatal() noexcept {
  if (!prints_for_others.load()) return;
  const std::timespec ended_within{1, 0};
  (void)nanosleep(&ended_within, nullptr);
}

void warn(const char* format, ...) {
  std::va_list args;
  va_start(args, format);
  vwarn(format, args);
  va_end(args);
}

void vwarn(const char* format, std::va_list args) {
  const int saved_errno = errno;
  char buf[kMessageSize];
  SafeText text(buf, sizeof buf);
  text.add(face().warning_prefix);
  add_formatted(text, format, args);
  add_identity(text, false);
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
  if (face().warnings_are_fatal()) fatal("the warning above ends the job (UPC_WARN_FATAL)");
  errno = saved_errno;
}

EndClaim claim_error_end() noexcept {
  const int me = gettid();
  int owner = 0;
  for (int ms = 0; !ender.compare_exchange_strong(owner, me, std::memory_order_acq_rel); ++ms) {
    if (owner == me) return EndClaim::kRecursive;
    if (owner > 0) return EndClaim::kOtherThread;
    if (owner == -me || ms >= kEndTakesMs) continue;  // that end has failed, or does not come: take it over
    // The process has been over since before this error, and its status has been given.
    const std::timespec moment{0, 1000000};
    nanosleep(&moment, nullptr);
    owner = 0;
  }
  return EndClaim::kThisThread;
}

void await_reported_error() noexcept {
  const int owner = ender.load(std::memory_order_acquire);
  // A forked child has none of its parent's other threads.
  if (owner > 0 && owner != gettid() && tgkill(getpid(), owner, 0) == 0) wait_for_process_end();
}

void claim_process_end() noexcept {
  int owner = 0;
  if (!ender.compare_exchange_strong(owner, -gettid(), std::memory_order_acq_rel)) await_reported_error();
}

void wait_for_process_end() noexcept {
  // No backstop: the owner may be frozen for a debugger, and always ends the process otherwise.
  for (;;) pause();
}

void report_backtrace(const void* first, bool first_is_fault) noexcept {
  if (face().backtrace != nullptr)
    face().backtrace();
  else if (backtrace_wanted())
    write_backtrace(STDERR_FILENO, first, first_is_fault);
}

void add_identity(SafeText& text, bool with_pid) noexcept {
  char who[256];
  std::size_t n = face().identity(who, sizeof who);
  if (n >= sizeof who) n = sizeof who - 1;
  if (n == 0 && !with_pid) return;
  text.add(" (").add({who, n});
  if (with_pid) text.add(n != 0 ? ", pid " : "pid ").add_number(static_cast<std::uint64_t>(getpid()));
  text.add(")");
}

void write_all(int fd, const char* data, std::size_t bytes) noexcept {
  const FileSizeSignalBlocker beyond_limit_is_lost;
  while (bytes > 0) {
    const ssize_t n = ::write(fd, data, bytes);
    if (n >= 0) {
      data += n;
      bytes -= static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      if (::poll(&ready, 1, 1000) == 0) return;  // nobody reads: rather lose the text than hang
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace upcr
