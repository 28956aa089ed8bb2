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
constinit std::atomic<unsigned (*)()> fatal_count{nullptr};
constinit std::atomic<long> linger_ms{1000};
constinit std::atomic<bool> prints_for_others{false};
constexpr unsigned kJobEndSeconds = 10;  // for the process that prints the error to end the job

void add_formatted(SafeText& text, const char* format, std::va_list args) {
  const int n = std::vsnprintf(text.end(), text.left(), format, args);
  if (n > 0) text.skip(static_cast<std::size_t>(n));
}

// Called before the error claims the process's end: the job may end meanwhile, and this process with it. The
// filter is not called again for a second thread that fails, nor for an error during reporting.
bool another_process_prints() noexcept {
  const auto prints = fatal_filter.load(std::memory_order_acquire);
  if (prints == nullptr || error_is_reported()) return false;
  if (!prints()) return true;
  prints_for_others.store(true);
  return false;
}

// The process that prints ends the job. While it is frozen this one must stay: a launcher that sees it end
// would kill the other.
[[noreturn]] void wait_for_job_end() noexcept {
  if (common_config().freeze_on_error) wait_for_process_end();
  for (unsigned left = kJobEndSeconds; left != 0;) left = sleep(left);
  _exit(kFatalStatus);
}

// Prints the message and ends the process. `caller`: where the backtrace starts; null: none
// is printed.
[[noreturn]] void report_fatal(const char* format, std::va_list args, const char* cause, const void* caller) {
  leave_error_to_another();
  const EndClaim claim = claim_error_end();
  char buf[kMessageSize];
  SafeText text(buf, sizeof buf);
  add_formatted(text, format, args);
  text.trim();
  if (cause != nullptr) text.add(": ").add(cause);
  write_message({text.data(), text.size()}, claim != EndClaim::kRecursive, Colour::kError);
  switch (claim) {
    case EndClaim::kOtherThread:
      wait_for_process_end();
    case EndClaim::kRecursive:
      _exit(kFatalStatus);  // an error while an error was being reported
    case EndClaim::kThisThread:
      break;
  }
  if (caller != nullptr) report_backtrace(caller, false);
  report_other_errors();
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
void set_linger(long ms) { linger_ms.store(ms); }
void set_fatal_count(unsigned (*others)()) { fatal_count.store(others, std::memory_order_release); }

void leave_error_to_another() noexcept {
  if (another_process_prints()) wait_for_job_end();
}

void report_other_errors() noexcept {
  const auto count = fatal_count.load(std::memory_order_acquire);
  const unsigned others = count != nullptr && prints_for_others.load() ? count() : 0;
  if (others == 0) return;
  char buf[256];
  SafeText text(buf, sizeof buf);
  add_log_origin(text, false);
  text.add("] ").add_number(others);
  text.add(others == 1 ? " other process reports" : " other processes report");
  text.add(" an error as well; UPCR_ALL_ERRORS=yes prints them").end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
}

void write_message(std::string_view message, bool with_identity, Colour colour) noexcept {
  char buf[kMessageSize], who[300];
  SafeText text(buf, sizeof buf), identity(who, sizeof who);
  const bool error = colour == Colour::kError;
  if (with_identity) add_identity(identity, error);
  const char* const prefix = error ? client_api().error_prefix : client_api().warning_prefix;
  const CommonConfig config = common_config();
  if (config.terminal)
    add_for_terminal(text, prefix, message, {identity.data(), identity.size()},
                     config.colour ? colour : Colour::kNone);
  else
    text.add(prefix).add(message).add({identity.data(), identity.size()});
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
}

void linger_after_fatal() noexcept {
  if (!prints_for_others.load()) return;
  const long ms = linger_ms.load();
  const std::timespec pause{ms / 1000, ms % 1000 * 1'000'000};
  (void)nanosleep(&pause, nullptr);
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
  add_formatted(text, format, args);
  write_message({text.data(), text.size()}, true, Colour::kWarning);
  if (client_api().warnings_are_fatal()) fatal("the warning above ends the job (UPC_WARN_FATAL)");
  errno = saved_errno;
}

}  // namespace upcr
