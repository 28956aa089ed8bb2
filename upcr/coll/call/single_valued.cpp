// SPDX-License-Identifier: BSD-3-Clause
// Comparing arguments of all members: see single_valued.hpp. The thread of a team's first member has a table
// in its host's control memory. Each caller submits its arguments: the first caller's are stored, those of
// the others are compared with them, by the caller if it has the table mapped, else by a handler. Later calls
// reuse an entry, so the arguments of a thread that is many calls behind are compared with none.
#include "upcr/coll/call/single_valued.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/coll/call/error_reports.hpp"
#include "upcr/state/handlers.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {

void defer_to_other_reporters() {
#if UPCR_DEBUG
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < deadline) {
    job().progress.poll();
    usleep(1000);
  }
#endif
}

void report_size_mismatch(const char* function, TeamRank from, std::size_t got, std::size_t bytes) {
  defer_to_other_reporters();
  fatal(
      "%s: member %u of the team sent %zu bytes where %zu are expected; do all threads pass the same "
      "arguments?",
      function, from, got, bytes);
}

#if UPCR_DEBUG
namespace {

constexpr unsigned kMaxArguments = 8, kNameBytes = 16, kFunctionBytes = 48, kEntries = 32;

struct ArgumentCheck {
  std::uint64_t team;
  std::uint32_t call;
  Slot thread;
  std::uint64_t count;
  std::uint64_t values[kMaxArguments];
  char names[kMaxArguments][kNameBytes];
  char function[kFunctionBytes];
};

// The member that writes to a thread in a permutation.
struct Writer {
  std::uint64_t team;
  std::uint32_t call;
  Slot thread;
};

struct CheckTable {
  SpinLock lock;
  ArgumentCheck entries[kEntries];  // call 0: empty
  Writer writers[kEntries];
};

MemoryFile::Area area;

CheckTable& table_of(Slot thread) {
  const Topology& t = job().topology;
  return job().memory_file.at<CheckTable>(area)[thread - t.window_group_first_slot()];
}

void copy_text(char* to, const char* from, std::size_t size) {
  const std::size_t n = std::min(std::strlen(from), size - 1);
  std::memcpy(to, from, n);
  to[n] = 0;
}

void compare(const ArgumentCheck& first, const ArgumentCheck& other) {
  if (std::strcmp(first.function, other.function) != 0)
    fatal("UPC thread %u calls %s where thread %u calls %s; all threads must make the same collective calls",
          first.thread, first.function, other.thread, other.function);
  for (std::uint64_t i = 0; i < first.count && i < kMaxArguments; ++i) {
    if (first.values[i] == other.values[i]) continue;
    const auto a = static_cast<unsigned long long>(first.values[i]),
               b = static_cast<unsigned long long>(other.values[i]);
    fatal(
        "%s: argument %s is %llu (%#llx) on UPC thread %u, but %llu (%#llx) on thread %u; all threads must "
        "pass the same",
        first.function, first.names[i], a, a, first.thread, b, b, other.thread);
  }
}

void submit(CheckTable& table, const ArgumentCheck& check) {
  ArgumentCheck first;
  {
    const std::lock_guard guard(table.lock);
    ArgumentCheck& entry = table.entries[check.call % kEntries];
    if (entry.call != check.call || entry.team != check.team) entry = check;
    first = entry;
  }
  compare(first, check);
}

void submit(CheckTable& table, const Writer& writer, Slot target) {
  Writer first;
  {
    const std::lock_guard guard(table.lock);
    Writer& entry = table.writers[writer.call % kEntries];
    if (entry.call != writer.call || entry.team != writer.team) entry = writer;
    first = entry;
  }
  if (first.thread != writer.thread)
    fatal("upc_all_permute: argument perm is no permutation: perm[%u] and perm[%u] are both %u", first.thread,
          writer.thread, target);
}

// The thread that has the table, and with it one of the two.
struct CheckArgs {
  Slot home;
};

void on_argument_check(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data,
                       std::size_t bytes, void*) {
  const Topology& t = job().topology;
  const Slot home = from_args<CheckArgs>(args, nargs, token.source, "check of a collective's arguments").home;
  if (home - t.my_first_slot() >= t.my_slots() || (bytes != sizeof(ArgumentCheck) && bytes != sizeof(Writer)))
    fatal("a malformed check of a collective's arguments from rank %u: %zu bytes for UPC thread %u",
          token.source, bytes, home);
  if (bytes == sizeof(ArgumentCheck)) {
    ArgumentCheck check;
    std::memcpy(&check, data, sizeof check);
    submit(table_of(home), check);
  } else {
    Writer writer;
    std::memcpy(&writer, data, sizeof writer);
    submit(table_of(home), writer, home);
  }
}

void send_to(Slot home, const void* data, std::size_t bytes) {
  const auto args = to_args(CheckArgs{home});
  job().engine->request(job().topology.rank_of[home],
                        internal_message(UpcHandler::kCollArgumentCheck, args, data, bytes));
}

}  // namespace
#endif

void check_single_valued(Call& call, const char* const* names, const std::uint64_t* values, unsigned count) {
#if UPCR_DEBUG
  UPCR_ASSERT(count <= kMaxArguments);
  ArgumentCheck check{};
  check.team = call.team().key;
  check.call = call.number();
  check.thread = call.ctx().thread;
  check.count = count;
  copy_text(check.function, call.function(), sizeof check.function);
  for (unsigned i = 0; i < count; ++i) {
    check.values[i] = values[i];
    copy_text(check.names[i], names[i], kNameBytes);
  }
  const Slot home = call.team().thread_of(0);
  if (job().segments.mapped[home] != 0) return submit(table_of(home), check);
  send_to(home, &check, sizeof check);
#else
  (void)call, (void)names, (void)values, (void)count;
#endif
}

void check_only_one(Call& call, TeamRank target) {
#if UPCR_DEBUG
  const Slot home = call.team().thread_of(target);
  const Writer writer{call.team().key, call.number(), call.ctx().thread};
  if (job().segments.mapped[home] != 0) return submit(table_of(home), writer, home);
  send_to(home, &writer, sizeof writer);
#else
  (void)call, (void)target;
#endif
}

void plan_single_valued(Job& job) {
#if UPCR_DEBUG
  area = job.memory_file.reserve(job.topology.window_group_slots() * sizeof(CheckTable));
#else
  (void)job;
#endif
}

void register_single_valued(AmEngine& engine) {
#if UPCR_DEBUG
  engine.set_internal(UpcHandler::kCollArgumentCheck, on_argument_check, nullptr);
#else
  (void)engine;
#endif
}

}  // namespace upcr::coll
