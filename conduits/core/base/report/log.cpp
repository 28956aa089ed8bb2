// SPDX-License-Identifier: BSD-3-Clause
// Log components, their levels and their lines. Any thread.
#include "conduits/core/base/report/log.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/report_state.hpp"

namespace upcr {
namespace {

constexpr const char* kLevels[] = {"fatal", "error", "warn", "info", "debug", "trace"};
constexpr int kNoLevel = -1;
constexpr std::size_t kLineSize = 1024;

// Constant-initialised: components register during static initialisation and while a module is loaded.
constinit std::atomic<LogComponent*> first_component{nullptr};
constinit std::atomic<const char*> level_spec{"warn"};  // lives as long as the process
constinit std::atomic<int> own_rank{-1};
constinit std::atomic<int> job_size{-1};

int level_number(std::string_view name) {
  for (int i = 0; i < static_cast<int>(std::size(kLevels)); ++i)
    if (name == kLevels[i]) return i;
  return kNoLevel;
}

// Calls visit(component, level) for each part of "warn,am:trace"; the component of "warn" is empty.
template <typename Visit>
void for_each_part(std::string_view spec, Visit&& visit) {
  while (!spec.empty()) {
    const std::string_view part = spec.substr(0, spec.find(','));
    spec.remove_prefix(part.size() < spec.size() ? part.size() + 1 : part.size());
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos)
      visit(std::string_view{}, part);
    else
      visit(part.substr(0, colon), part.substr(colon + 1));
  }
}

// A component's own level wins over the general one, wherever they stand; of two equals the later wins. Wrong
// levels do not count: check_config() reports them.
int level_of(std::string_view component) {
  int general = static_cast<int>(LogLevel::kWarn), own = kNoLevel;
  for_each_part(level_spec.load(std::memory_order_acquire),
                [&](std::string_view name, std::string_view level) {
                  const int number = level_number(level);
                  if (number == kNoLevel) return;
                  if (name.empty()) general = number;
                  if (name == component) own = number;
                });
  return own != kNoLevel ? own : general;
}

}  // namespace

LogComponent::LogComponent(const char* name)
    : name_(name), level_(level_of(name)), next_(first_component.load(std::memory_order_relaxed)) {
  first_component.store(this, std::memory_order_release);
}

const LogComponent* LogComponent::first() noexcept { return first_component.load(std::memory_order_acquire); }

void LogComponent::write(LogLevel level, const char* format, ...) const {
  const int saved_errno = errno;
  char buf[kLineSize];
  SafeText text(buf, sizeof buf);
  add_log_origin(text, false);
  text.add(" ").add(name_).add(" ").add(kLevels[static_cast<int>(level)]).add("] ");
  std::va_list args;
  va_start(args, format);
  const int n = std::vsnprintf(text.end(), text.left(), format, args);
  va_end(args);
  if (n > 0) text.skip(static_cast<std::size_t>(n));
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
  errno = saved_errno;
}

void configure_log(const char* levels) {
  level_spec.store(levels, std::memory_order_release);
  for (LogComponent* c = first_component.load(std::memory_order_acquire); c != nullptr; c = c->next_)
    c->level_.store(level_of(c->name_), std::memory_order_relaxed);
}

std::string log_level_error() {
  const char* spec = level_spec.load(std::memory_order_acquire);
  bool right = true;
  for_each_part(spec,
                [&](std::string_view, std::string_view level) { right &= level_number(level) != kNoLevel; });
  if (right) return {};
  return std::string("UPCR_LOG_LEVEL=") + spec +
         ": expected fatal, error, warn, info, debug or trace, COMPONENT:LEVEL, or a list of these with "
         "commas";
}

void warn_about_unknown_components() {
  for_each_part(level_spec.load(std::memory_order_acquire), [](std::string_view name, std::string_view) {
    if (name.empty()) return;
    for (const LogComponent* c = LogComponent::first(); c != nullptr; c = c->next())
      if (name == c->name()) return;
    warn("UPCR_LOG_LEVEL: there is no component '%s'; 'upcr_info -c' prints them", std::string(name).c_str());
  });
}

void set_log_rank(int rank, int size) {
  job_size.store(size, std::memory_order_relaxed);
  own_rank.store(rank, std::memory_order_relaxed);
}

void add_log_origin(SafeText& text, bool with_pid) noexcept {
  const int rank = own_rank.load(std::memory_order_relaxed);
  text.add("[upcr");
  if (rank >= 0) {
    text.add(" ").add_number(static_cast<std::uint64_t>(rank)).add("/");
    text.add_number(static_cast<std::uint64_t>(job_size.load(std::memory_order_relaxed)));
  } else if (with_pid) {
    text.add(" pid ").add_number(static_cast<std::uint64_t>(getpid()));
  }
}

}  // namespace upcr
