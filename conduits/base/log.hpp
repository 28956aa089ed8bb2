// SPDX-License-Identifier: BSD-3-Clause
// Diagnostics for whoever debugs a job: off by default (a program's stderr is its own).
// UPCR_LOG_LEVEL=warn, or per component: UPCR_LOG_LEVEL=am:trace,smp:debug. Lines go to stderr:
//   [upcr 1/4 am trace] short request to 2, handler 7
// Any thread. Costs one load and a branch when off; trace and debug are compiled out of the release
// library's data path by UPCR_LOG_DATAPATH being 0 there.
#pragma once
#include <atomic>

#include "conduits/base/visibility.hpp"

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

 private:
  friend void configure_log();
  const char* name_;
  std::atomic<int> level_{static_cast<int>(LogLevel::kWarn)};
  LogComponent* next_;
};

// Applies UPCR_LOG_LEVEL to every component; called once the environment is known.
void configure_log();
// Rank and size shown in each line; -1 before they are known.
void set_log_rank(int rank, int size);

}  // namespace upcr

#define UPCR_LOG(component, level, ...)                                       \
  do {                                                                        \
    if (__builtin_expect((component).enabled(::upcr::LogLevel::level), 0))    \
      (component).write(::upcr::LogLevel::level, __VA_ARGS__);                \
  } while (0)
