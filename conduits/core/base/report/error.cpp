// SPDX-License-Identifier: BSD-3-Clause
// Fatal errors and warnings. Any thread.
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/common_config.hpp"
#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/fatal_filter.hpp"
#include "conduits/core/base/report/report_state.hpp"

namespace upcr {
namespace {

constexpr int kFatalStatus = 255;           // exit(-1)
constexpr std::size_t kMessageSize = 4096;  // longer messages are cut

constinit std::atomic<bool (*)()> fatal_filter{nullptr};
constinit std::atomic<bool> prints_for_others{false};
constexpr unsigned kJobEndSeconds = 10;  // for the process that prints the error to end the job

void add_formatted(SafeText& text, const char* format, std::va_list args) {
  const int n = std::vsnprintf(text.end(), text.left(), format, args);
  if (n > 0) text.skip(static_cast<std::size_t>(n));
}

// Called before the error claims the process's end: the job may end meanwhile, and this process with it. The
// filter is not called again for a second thread that fails, nor for an error during reporting.
bool another_process_prints() {
  const auto prints = fatal_filter.load(std::memory_order_acquire);
  if (prints == nullptr || error_is_reported()) return false;
  if (!prints()) return true;
  prints_for_others.store(true);
  return false;
}

// The process that prints ends the job. While it is frozen this one must stay: a launcher that sees it end
// would kill the other.
[[noreturn]] void wait_for_job_end() {
  if (common_config().freeze_on_error) wait_for_process_end();
  for (unsigned left = kJobEndSeconds; left != 0;) left = sleep(left);
  _exit(kFatalStatus);
}

// Prints the message and ends the process. `caller`: where the backtrace starts; null: none
// is printed.
[[noreturn]] void report_fatal(const char* format, std::va_list args, const char* cause, const void* caller) {
  if (another_process_prints()) wait_for_job_end();
  const EndClaim claim = claim_error_end();
  char buf[kMessageSize];
  SafeText text(buf, sizeof buf);
  text.add(client_api().error_prefix);
  add_formatted(text, format, args);
  text.trim();
  if (cause != nullptr) text.add(": ").add(cause);
  if (claim != EndClaim::kRecursive) add_identity(text, true);  // it may be what failed
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
  switch (claim) {
    case EndClaim::kOtherThread:
      wait_for_process_end();
    case EndClaim::kRecursive:
      _exit(kFatalStatus);  // an error while an error was being reported
    case EndClaim::kThisThread:
      break;
  }
  if (caller != nullptr) report_backtrace(caller, false);
  freeze_on_error();
  client_api().end_job(kFatalStatus);
  _exit(kFatalStatus);  // should the client's end_job() return
}

}  // namespace

void fatal(const char* format, ...) {
  std::va_list args;
  va_start(args, format);
  report_fatal(format, args, nullptr, __builtin_return_address(0));
}

void vfatal(const char* format, std::va_list args) {
  report_fatal(format, args, nullptr, __builtin_return_address(0));
}

void fatal_setting(const char* format, ...) {
  std::va_list args;
  va_start(args, format);
  report_fatal(format, args, nullptr, nullptr);
}

void fatal_errno(const char* format, ...) {
  char buf[128];
  const char* cause = strerror_r(errno, buf, sizeof buf);
  std::va_list args;
  va_start(args, format);
  report_fatal(format, args, cause, __builtin_return_address(0));
}

void set_fatal_filter(bool (*prints)()) { fatal_filter.store(prints, std::memory_order_release); }

void linger_after_fatal() noexcept {
  if (!prints_for_others.load()) return;
  const std::timespec second{1, 0};
  (void)nanosleep(&second, nullptr);
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
  text.add(client_api().warning_prefix);
  add_formatted(text, format, args);
  add_identity(text, false);
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
  if (client_api().warnings_are_fatal()) fatal("the warning above ends the job (UPC_WARN_FATAL)");
  errno = saved_errno;
}

}  // namespace upcr
