// SPDX-License-Identifier: BSD-3-Clause
// The variables that belong to no component.
#include "conduits/core/base/report/common_config.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/config/config_parse.hpp"

namespace upcr {
namespace {

const ConfigVar kVars[] = {
    {"UPCR_LOG_LEVEL", ConfigType::kString, "warn",
     "diagnostics on stderr: fatal, error, warn, info, debug or trace for all components, or "
     "COMPONENT:LEVEL, "
     "or a list of these with commas"},
    {"UPCR_BACKTRACE", ConfigType::kBool, "yes", "print a backtrace with fatal errors and fatal signals",
     nullptr, "GASNET_BACKTRACE"},
    {"UPCR_BACKTRACE_RUNTIME", ConfigType::kBool, "no",
     "with all frames inside the runtime, where it found an error or crashed itself"},
    {"UPCR_ALL_ERRORS", ConfigType::kBool, "no",
     "print the error of each process; otherwise the first of each host is printed, and how many others there are"},
    {"UPCR_TERMINAL", ConfigType::kBool, nullptr,
     "lay out errors and warnings for a terminal: the cause, values, cure and process in lines of their own, in "
     "colour unless NO_COLOR is set; unset: where standard error is a terminal, that of upcrun for its processes"},
    {"UPCR_FREEZE", ConfigType::kBool, "no", "wait at start-up until a debugger is attached", nullptr,
     "GASNET_FREEZE"},
    {"UPCR_FREEZE_THREAD", ConfigType::kInt, nullptr,
     "with UPCR_FREEZE: only the process of this UPC thread waits; unset: all do", "0.."},
    {"UPCR_FREEZE_ON_ERROR", ConfigType::kBool, "no", "wait for a debugger when a fatal error occurs",
     nullptr, "GASNET_FREEZE_ON_ERROR"},
};
ConfigTable table("upcr", kVars);

constinit CommonConfig config{};
constinit std::atomic<bool> known{false};

bool from_environment(const char* name, const char* alias, bool fallback) noexcept {
  const char* text = std::getenv(name);
  if ((text == nullptr || *text == '\0') && alias != nullptr) text = std::getenv(alias);
  bool value = fallback;
  return text != nullptr && parse_bool(text, &value) ? value : fallback;
}

// https://no-color.org: any value that is not empty.
bool wants_colour() noexcept {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

CommonConfig read_environment() noexcept {
  const bool terminal = from_environment("UPCR_TERMINAL", nullptr, isatty(STDERR_FILENO) != 0);
  return {from_environment("UPCR_BACKTRACE", "GASNET_BACKTRACE", true),
          from_environment("UPCR_BACKTRACE_RUNTIME", nullptr, false),
          from_environment("UPCR_FREEZE", "GASNET_FREEZE", false),
          from_environment("UPCR_FREEZE_ON_ERROR", "GASNET_FREEZE_ON_ERROR", false),
          from_environment("UPCR_ALL_ERRORS", nullptr, false),
          terminal,
          terminal && wants_colour()};
}

}  // namespace

CommonConfig common_config() noexcept {
  return known.load(std::memory_order_acquire) ? config : read_environment();
}

void set_common_config() noexcept {
  config = read_environment();
  known.store(true, std::memory_order_release);
}

}  // namespace upcr
