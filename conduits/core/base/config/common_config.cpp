// SPDX-License-Identifier: BSD-3-Clause
// The variables that belong to no component.
#include "conduits/core/base/report/common_config.hpp"

#include <atomic>
#include <cstdlib>

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
     "with all frames inside the runtime, where an error that it found is reported from"},
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

CommonConfig read_environment() noexcept {
  return {from_environment("UPCR_BACKTRACE", "GASNET_BACKTRACE", true),
          from_environment("UPCR_BACKTRACE_RUNTIME", nullptr, false),
          from_environment("UPCR_FREEZE", "GASNET_FREEZE", false),
          from_environment("UPCR_FREEZE_ON_ERROR", "GASNET_FREEZE_ON_ERROR", false)};
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
