// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/settings.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/progress/wait_observer.hpp"
#include "upcr/observe/thread.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::observe {

bool observing = false;

namespace {

std::uint64_t process_start_ns = 0;  // the UPC threads pass a barrier after it, before they run the program

const ConfigVar kVars[] = {
    {"UPCR_STATS", ConfigType::kString, nullptr,
     "count what the program does, and print a summary at its end: yes, or a file that gets everything as JSON"},
    {"UPCR_TRACE", ConfigType::kString, nullptr,
     "file that gets a timeline of the operations of all UPC threads"},
    {"UPCR_TRACE_EVENTS", ConfigType::kInt, "65536",
     "the most events that a trace keeps of each UPC thread, the last ones; 40 bytes each", "1..100000000"},
    {"UPCR_TRACE_KINDS", ConfigType::kString, "all",
     "kinds of operations that a trace has, as barrier,lock,memput (docs/observing.md lists them)"},
};
ConfigTable table("statistics", kVars);

// The file that a variable of a switch or a file asks for: nothing if it is unset or no, `fallback` if it is
// yes.
std::optional<std::string> read_file(const char* name, const char* fallback) {
  const char* const value = config_string(name);
  if (value == nullptr) return std::nullopt;
  bool yes = false;
  if (!parse_bool(value, &yes)) return value;
  return yes ? std::optional<std::string>(fallback) : std::nullopt;
}

// "barrier,lock", "all".
std::uint64_t read_kinds(const char* text) {
  if (std::strcmp(text, "all") == 0) return ~std::uint64_t{0};
  std::uint64_t kinds = 0;
  for (std::string rest = text; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string word = rest.substr(0, comma);
    rest.erase(0, comma == rest.npos ? comma : comma + 1);
    unsigned i = 0;
    while (i < kKinds && word != name_of(static_cast<Kind>(i))) ++i;
    if (i == kKinds)
      fatal_setting(
          "UPCR_TRACE_KINDS=%s: '%s' is no kind of operation; these are get, put, memput, barrier, lock and the others "
          "of docs/observing.md, or all",
          text, word.c_str());
    kinds |= std::uint64_t{1} << i;
  }
  return kinds;
}

Settings read() {
  Settings s;
  const std::optional<std::string> statistics = read_file("UPCR_STATS", "");
  s.statistics = statistics.has_value();
  s.statistics_file = statistics.value_or("");
  s.trace_file = read_file("UPCR_TRACE", "trace.json").value_or("");
  s.trace_events = static_cast<std::uint32_t>(config_int("UPCR_TRACE_EVENTS"));
  if (!s.trace_file.empty()) s.trace_kinds = read_kinds(config_string("UPCR_TRACE_KINDS"));
  return s;
}

// The file of a thread's part of the trace, in the folder of the file that gets all of them.
std::string part_file(Slot thread) { return settings().trace_file + ".part" + std::to_string(thread); }

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
  if (!settings().any()) return;
  observing = true;
  process_start_ns = ticks_now();
  observe_waits(wait_began, wait_over);
}

void start_thread(ThreadCtx& c) {
  if (!observing) return;
  std::unique_ptr<Trace> trace;
  if (!settings().trace_file.empty()) {
    trace = Trace::make(part_file(c.thread), settings().trace_events, settings().trace_kinds);
    if (trace == nullptr)
      fatal("UPCR_TRACE=%s: cannot make %s for the trace of UPC thread %u: %s", settings().trace_file.c_str(),
            part_file(c.thread).c_str(), c.thread, std::strerror(errno));
    trace->header().thread = c.thread;
    trace->header().threads = job().topology.slots();
    trace->header().rank = job().topology.rank;
    trace->header().process_ns = process_start_ns;
  }
  c.observed = new Thread(c, std::move(trace));
}

void end_thread(ThreadCtx& c) {
  delete c.observed;
  c.observed = nullptr;
}

}  // namespace upcr::observe
