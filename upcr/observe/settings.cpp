// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/process_end.hpp"
#include "conduits/core/progress/wait_observer.hpp"
#include "upcr/observe/thread_path.hpp"

namespace upcr::observe {

bool observing = false, counting = false;

namespace {

std::uint64_t process_start_ns = 0;  // the UPC threads pass a barrier after it, before they run the program

const ConfigVar kVars[] = {
    {"UPCR_STATS", ConfigType::kString, nullptr,
     "count what the program does, and print a summary at its end: yes, or a file that gets everything as JSON"},
    {"UPCR_TRACE", ConfigType::kString, nullptr,
     "file that gets a timeline of the operations of all UPC threads, kinds of operations, or both (t.json:barrier,msg)"},
    {"UPCR_TRACE_EVENTS", ConfigType::kInt, "65536",
     "the most events that a trace keeps of each UPC thread, the last ones; 40 bytes each", "1..100000000"},
    {"UPCR_TRACE_KINDS", ConfigType::kString, "line,counter",
     "what a trace has, if UPCR_TRACE does not say it: kinds of operations, as barrier,lock,memput "
     "(docs/observing.md lists them), line: all of them, msg: messages and their handlers, counter: bytes in flight "
     "and of the heap, all"},
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

template <typename Predicate>
constexpr std::uint64_t kinds_that(Predicate&& holds) {
  std::uint64_t kinds = 0;
  for (unsigned i = 0; i < kKinds; ++i)
    if (holds(static_cast<Kind>(i))) kinds |= std::uint64_t{1} << i;
  return kinds;
}
static_assert(kKinds <= 64);
constexpr std::uint64_t kMessages = kinds_that(is_message), kCounters = kinds_that(is_counter),
                        kOperations =
                            kinds_that([](Kind kind) { return !is_message(kind) && !is_counter(kind); });

// The kinds that a word names; 0: none.
std::uint64_t kinds_of(const std::string& word) {
  if (word == "all") return kOperations | kMessages | kCounters;
  if (word == "line") return kOperations;
  if (word == "msg") return kMessages;
  if (word == "counter") return kCounters;
  for (unsigned i = 0; i < kKinds; ++i)
    if (word == name_of(static_cast<Kind>(i))) return std::uint64_t{1} << i;
  return 0;
}

// "barrier,lock", "all": the kinds, and in `unknown` a word that names none.
std::uint64_t read_kinds(const std::string& text, std::string* unknown) {
  std::uint64_t kinds = 0;
  unknown->clear();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::uint64_t more = kinds_of(word);
    if (more == 0) *unknown = word.empty() ? "," : word;
    kinds |= more;
    at = end + 1;
  }
  return kinds;
}

// UPCR_TRACE is a file, kinds, or both: "trace.json:barrier,lock". A file whose name is a kind's is "./lock".
void read_trace(Settings& s) {
  s.trace_file = read_file("UPCR_TRACE", "trace.json").value_or("");
  if (s.trace_file.empty()) return;
  std::string unknown;
  const std::size_t colon = s.trace_file.rfind(':');
  const std::string last = s.trace_file.substr(colon == std::string::npos ? 0 : colon + 1);
  s.trace_kinds = read_kinds(last, &unknown);
  if (unknown.empty()) {
    s.trace_file = colon == std::string::npos || colon == 0 ? "trace.json" : s.trace_file.substr(0, colon);
    return;
  }
  // What looks like kinds behind a colon, or with a comma, is no part of the file's name.
  const bool listed = colon != std::string::npos || last.find(',') != std::string::npos;
  if (listed && last.find_first_not_of("abcdefghijklmnopqrstuvwxyz_,") == std::string::npos)
    fatal_setting(
        "UPCR_TRACE=%s: '%s' is no kind of operation; these are get, put, memput, barrier, lock and the others of "
        "docs/observing.md, line, msg, counter, or all",
        s.trace_file.c_str(), unknown.c_str());
  const char* const kinds = config_string("UPCR_TRACE_KINDS");
  s.trace_kinds = read_kinds(kinds, &unknown);
  if (!unknown.empty())
    fatal_setting(
        "UPCR_TRACE_KINDS=%s: '%s' is no kind of operation; these are get, put, memput, barrier, lock and the others "
        "of docs/observing.md, line, msg, counter, or all",
        kinds, unknown.c_str());
}

Settings read() {
  Settings s;
  const std::optional<std::string> statistics = read_file("UPCR_STATS", "");
  s.statistics = statistics.has_value();
  s.statistics_file = statistics.value_or("");
  read_trace(s);
  s.trace_events = static_cast<std::uint32_t>(config_int("UPCR_TRACE_EVENTS"));
  return s;
}

// The file of what a thread records or counts while it runs, in the folder of the file that gets all of them.
std::string part_file(const std::string& whole, Slot thread) {
  return whole + ".part" + std::to_string(thread);
}

// The records of this process's UPC threads, for the end of the process, which any thread may note.
std::unique_ptr<std::atomic<RecordHeader*>[]> records;
unsigned record_count = 0;
void note_process_end() {
  for (unsigned i = 0; i < record_count; ++i)
    if (RecordHeader* const record = records[i].load(std::memory_order_acquire); record != nullptr)
      record->ended_with_job = 1;
}

constexpr WaitObserver kWaits{
    [] {
      if (Thread* const t = current()) t->wait_began();
    },
    [] {
      if (Thread* const t = current()) t->wait_over();
    },
    [] {
      if (Thread* const t = current()) t->long_wait_began();
    },
    [] {
      if (Thread* const t = current()) t->long_wait_over();
    },
};

std::unique_ptr<RecordMemory> make_record(const ThreadCtx& c) {
  RecordHeader about{};
  about.thread = c.thread;
  about.threads = job().topology.slots();
  about.rank = job().topology.rank;
  about.ranks = job().topology.size;
  about.threads_of_job = runtime().threads;
  std::snprintf(about.program, sizeof about.program, "%s", program_invocation_short_name);
  std::snprintf(about.conduit, sizeof about.conduit, "%s", job().conduit->name());
  const std::string& whole = settings().statistics_file;
  // Absolute, for the program may change its folder.
  std::error_code error;
  const std::string path =
      whole.empty() ? "" : std::filesystem::absolute(part_file(whole, c.thread), error).string();
  std::unique_ptr<RecordMemory> record = RecordMemory::make(path, about);
  if (record == nullptr && !path.empty()) {
    if (c.thread == job().topology.machine_first_slot())  // the others of its host meet the same
      warn(
          "UPCR_STATS=%s: cannot make %s: %s; what the UPC threads of this host have done is lost should their "
          "processes be killed",
          whole.c_str(), path.c_str(), std::strerror(errno));
    record = RecordMemory::make("", about);
  }
  if (record == nullptr)
    fatal("UPCR_STATS: no memory for the counts of UPC thread %u: %s", c.thread, std::strerror(errno));
  records[static_cast<unsigned>(c.local_index)].store(&record->view().header(), std::memory_order_release);
  return record;
}

}  // namespace

const Settings& settings() {
  static const Settings s = read();
  return s;
}

void start_process() {
  if (!settings().any()) return;
  observing = true;
  record_count = runtime().threads_here;
  records.reset(new std::atomic<RecordHeader*>[record_count]());
  on_process_end(note_process_end);
  process_start_ns = ticks_now();
  observe_waits(kWaits);
  counting = !settings().trace_file.empty() && settings().traces(Kind::kBytesInFlight);
}

void start_thread(ThreadCtx& c) {
  if (!observing) return;
  std::unique_ptr<Trace> trace;
  if (!settings().trace_file.empty()) {
    trace = Trace::make(part_file(settings().trace_file, c.thread), settings().trace_events,
                        settings().trace_kinds);
    if (trace == nullptr)
      fatal_setting("UPCR_TRACE=%s: cannot make %s for the trace of UPC thread %u: %s",
                    settings().trace_file.c_str(), part_file(settings().trace_file, c.thread).c_str(),
                    c.thread, std::strerror(errno));
    trace->header().thread = c.thread;
    trace->header().threads = job().topology.slots();
    trace->header().rank = job().topology.rank;
    trace->header().process_ns = process_start_ns;
  }
  c.observed = new Thread(c, make_record(c), std::move(trace));
}

void end_thread(ThreadCtx& c) {
  if (c.observed == nullptr) return;
  records[static_cast<unsigned>(c.local_index)].store(nullptr, std::memory_order_release);
  c.observed->record().remove_file();
  delete c.observed;
  c.observed = nullptr;
}

}  // namespace upcr::observe
