// SPDX-License-Identifier: BSD-3-Clause
// Diagnostic messages for debugging a job: off by default, since stderr is the program's.
// UPCR_LOG_LEVEL=warn, or per component: UPCR_LOG_LEVEL=am:trace,smp:debug. Lines go to stderr:
//   [upcr 1/4 am trace] short request to 2, handler 7
// Any thread. Costs one load and a branch when off; on the data path use UPCR_LOG_DATAPATH, which is
// compiled out of the release library.
#pragma once
#include <atomic>
#include <string>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

enum class LogLevel : int { kFatal, kError, kWarn, kInfo, kDebug, kTrace };

// One per component, usually a file-scope constant: `static LogComponent log_am("am");`
class UPCR_MODULE_API LogComponent {
 public:
  explicit LogComponent(const char* name);
  bool enabled(LogLevel level) const noexcept {
    return static_cast<int>(level) <= level_.load(std::memory_order_relaxed);
  }
  void write(LogLevel level, const char* format, ...) const __attribute__((format(printf, 3, 4)));
  const char* name() const noexcept { return name_; }
  // Every component that has registered, in no order.
  static const LogComponent* first() noexcept;
  const LogComponent* next() const noexcept { return next_; }

 private:
  friend void configure_log(const char* levels);
  const char* name_;
  std::atomic<int> level_{static_cast<int>(LogLevel::kWarn)};
  LogComponent* next_;
};

// Applies `levels`, the value of UPCR_LOG_LEVEL, which must live as long as the process, to every component,
// those that register later included. Called by configure().
void configure_log(const char* levels);
// An error message when the levels are wrong ("UPCR_LOG_LEVEL=x: expected ..."), else empty.
// warn_about_unknown_components() warns of each component that does not exist.
std::string log_level_error();
void warn_about_unknown_components();
// Rank and size shown in each line; not shown before they are known.
void set_log_rank(int rank, int size);

}  // namespace upcr

#define UPCR_LOG(component, level, ...)                                    \
  do {                                                                     \
    if (__builtin_expect((component).enabled(::upcr::LogLevel::level), 0)) \
      (component).write(::upcr::LogLevel::level, __VA_ARGS__);             \
  } while (0)

#if defined(UPCR_DEBUG) && UPCR_DEBUG
#  define UPCR_LOG_DATAPATH(component, level, ...) UPCR_LOG(component, level, __VA_ARGS__)
#else
#  define UPCR_LOG_DATAPATH(component, level, ...) ((void)0)
#endif
