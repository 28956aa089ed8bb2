// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/settings.hpp"

#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/progress/wait_observer.hpp"
#include "upcr/observe/thread.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::observe {

bool observing = false;

namespace {

const ConfigVar kVars[] = {
    {"UPCR_STATS", ConfigType::kString, nullptr,
     "count what the program does, and print a summary at its end: yes, or a file that gets everything as JSON"},
};
ConfigTable table("statistics", kVars);

bool is_one_of(const char* text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (std::strcmp(text, word) == 0) return true;
  return false;
}

Settings read() {
  Settings s;
  const char* const value = config_string("UPCR_STATS");
  if (value == nullptr || is_one_of(value, {"", "no", "0", "false", "off"})) return s;
  s.statistics = true;
  if (!is_one_of(value, {"yes", "1", "true", "on"})) s.statistics_file = value;
  return s;
}

void wait_began() {
  if (Thread* const t = current()) t->wait_began();
}
void wait_over() {
  if (Thread* const t = current()) t->wait_over();
}

}  // namespace

const Settings& settings() {
  static const Settings s = read();
  return s;
}

void start_process() {
  if (!settings().statistics) return;
  observing = true;
  observe_waits(wait_began, wait_over);
}

void start_thread(ThreadCtx& c) {
  if (observing) c.observed = new Thread(c);
}

void end_thread(ThreadCtx& c) {
  delete c.observed;
  c.observed = nullptr;
}

}  // namespace upcr::observe
