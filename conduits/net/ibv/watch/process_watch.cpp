// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/process_watch.hpp"

#include <cstring>

#include "conduits/net/ibv/watch/hook_watch.hpp"
#include "conduits/net/ibv/watch/userfaultfd_watch.hpp"

namespace upcr::ibv {

ProcessWatch* process_watch(const char* setting, std::string* why) {
  why->clear();
  const auto asked = [setting](const char* value) {
    return std::strcmp(setting, "auto") == 0 || std::strcmp(setting, value) == 0;
  };
  if (asked("userfaultfd")) {
    const char* error = "";
    if (ProcessWatch* watch = UserfaultfdWatch::get(&error)) return watch;
    *why = std::string("userfaultfd: ") + error;
  }
  if (asked("hooks")) {
    std::string reason;
    if (ProcessWatch* watch = HookWatch::get(&reason)) return watch;
    *why += (why->empty() ? "hooks: " : "; hooks: ") + reason;
  }
  if (why->empty()) *why = std::string("UPCR_IBV_WATCH=") + setting;
  return nullptr;
}

}  // namespace upcr::ibv
