// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/trace.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <ctime>

#include "conduits/api/gasnet/trace/counters.hpp"
#include "conduits/api/gasnet/trace/keeper.hpp"
#include "conduits/api/gasnet/trace/line.hpp"
#include "conduits/api/gasnet/trace/output.hpp"
#include "conduits/api/gasnet/trace/shared_memory.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/counter_clock.hpp"
#include "include/gasnet/core.h"
#include "include/gasnet/tools/environment.h"
#include "include/gasnet/tools/system.h"

namespace upcr::gasnet {

bool observing = false;

namespace {

// A trace has times of the clock by which nodes of one host are compared; statistics alone the processor's
// counter, whose reading costs less.
std::uint64_t time_now(bool lists) noexcept { return lists ? ticks_now() : counter_now(); }

// How far the end has come.
struct Shared {
  std::atomic<bool> wrote_statistics{false}, wrote_all{false};
};

// Made in gasnet_init() and never freed: threads may run while the process ends.
struct State {
  Output statistics, trace;
  Moment start;
  std::array<bool, kEvents> wanted{};  // counted or listed
  bool counts = false, lists = false, lists_local = true;
  std::atomic<bool> ended{false};
  Shared* shared = nullptr;
};
State* state = nullptr;

// In a double nanoseconds since 1970 would be rounded.
struct Seconds {
  explicit Seconds(std::uint64_t ns) noexcept
      : whole(ns / 1'000'000'000), rest(static_cast<unsigned>(ns % 1'000'000'000)) {}
  unsigned long long whole;
  unsigned rest;
};

std::uint64_t ns_since_1970() noexcept {
  timespec now{};
  (void)::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// "1(5f0a) 0.012345678> (P) ": node, thread and time, since the start.
Line start_line(char letter, std::uint64_t ns = ticks_now() - state->start.ns) noexcept {
  const Seconds time(ns);
  Line line;
  line.add("%u(%x) %llu.%09u> (%c) ", gasneti_state.mynode, static_cast<unsigned>(gettid()), time.whole,
           time.rest, letter);
  return line;
}

// A line of information, in the statistics and in the trace.
void add_information(const char* text) noexcept {
  for (Output* output : {&state->statistics, &state->trace})
    if (output->wants('I')) output->add(start_line('I').add("%s", text).finish());
}

// `tick`: null: the times are in nanoseconds.
void add_statistics(Event event, const Sum& c, const TickLength* tick) noexcept {
  Line line = start_line(letter_of(event));
  line.add("%-18s %10llu", name_of(event), static_cast<unsigned long long>(c.count));
  if (c.bytes != 0)
    line.add("  avg/min/max/total sz = %llu/%llu/%llu/%llu",
             static_cast<unsigned long long>(c.bytes / c.count), static_cast<unsigned long long>(c.min),
             static_cast<unsigned long long>(c.max), static_cast<unsigned long long>(c.bytes));
  const double us = static_cast<double>(tick != nullptr ? tick->ns(c.time) : c.time) / 1e3;
  line.add("  avg/total time = %.3f/%.3f us", us / static_cast<double>(c.count), us);
  state->statistics.add(line.finish());
}

void write_statistics() noexcept {
  const TickLength tick(state->start, Moment::now());
  for (unsigned i = 0; i < kEvents; ++i) {
    const auto event = static_cast<Event>(i);
    const Sum sum(event);
    if (sum.count != 0 && state->statistics.wants(letter_of(event)))
      add_statistics(event, sum, state->lists ? nullptr : &tick);
  }
}

// In the keeper, after the node's end. There is no line that says "end": so the reader knows.
void write_what_is_left() noexcept {
  if (state->shared->wrote_all.load()) return;
  // What a node was killed in the middle of, first: both may be one file.
  const bool statistics_first = state->statistics.was_writing();
  if (statistics_first) state->statistics.take_over();
  state->trace.take_over();
  if (!statistics_first) state->statistics.take_over();
  if (state->counts && !state->shared->wrote_statistics.load()) write_statistics();
}

}  // namespace

void start_trace(const TraceStart& start) {
  auto* const s = new State;
  s->start = Moment::now();
  s->counts = s->statistics.open("STATS", start.node, start.node == 0, nullptr);
  s->lists = s->trace.open("TRACE", start.node, start.node == 0, &s->statistics);
  if (!s->counts && !s->lists) {
    delete s;
    return;
  }
  s->shared = make_shared_object<Shared>();
  if (s->shared == nullptr || !make_counters())
    fatal("GASNET_TRACEFILE, GASNET_STATSFILE: there is no memory");
  s->lists_local = gasnett_getenv_yesno_withdefault("GASNET_TRACELOCAL", 1) != 0;
  if (gasnett_getenv_yesno_withdefault("GASNET_TRACEFLUSH", 0) != 0) s->trace.set_unbuffered();
  for (unsigned i = 0; i < kEvents; ++i) {
    const char letter = letter_of(static_cast<Event>(i));
    s->wanted[i] = s->statistics.wants(letter) || s->trace.wants(letter);
  }
  state = s;
  const Seconds clock(s->start.ns), time(s->start.ns + ns_since_1970() - ticks_now());
  add_information(Line()
                      .add("node %u of %u, pid %d, host %s, clock %llu.%09u (%llu.%09u): %s", start.node,
                           start.nodes, static_cast<int>(getpid()), gasnett_gethostname(), clock.whole,
                           clock.rest, time.whole, time.rest, start.program)
                      .text());
  start_keeper({s->statistics.file(), s->trace.file()}, write_what_is_left);
  observing = true;
}

void end_trace() noexcept {
  if (state == nullptr || state->ended.exchange(true)) return;
  if (state->counts) write_statistics();
  state->shared->wrote_statistics.store(true);
  add_information("end");
  state->statistics.flush();
  state->trace.flush();
  state->shared->wrote_all.store(true);
}

void leave_trace_of_crash() noexcept {
  if (state != nullptr && !state->ended.load()) state->trace.flush_in_crash();
}

std::uint64_t Traced::start_of(Event event) noexcept {
  return state->wanted[static_cast<unsigned>(event)] ? time_now(state->lists) : 0;
}

void Traced::record(Event event, gasnet_node_t node, std::size_t bytes, const char* function,
                    std::uint64_t start) noexcept {
  const std::uint64_t time = time_now(state->lists) - start;
  if (state->ended.load(std::memory_order_relaxed)) return;
  if (state->counts) count(event, bytes, time);
  if (!state->lists) return;
  const bool local = node == gasneti_state.mynode && is_access(event);
  if (!state->trace.wants(letter_of(event)) || (local && !state->lists_local)) return;
  Line line = start_line(letter_of(event), start + time - state->start.ns);
  line.add("%s%s", name_of(event), local ? "_LOCAL:" : ":");
  if (function != nullptr) line.add(" %s", function);
  if (node != kNoNode) line.add(" node=%u sz=%zu", node, bytes);
  state->trace.add(line.add(" time=%.3f us", static_cast<double>(time) / 1e3).finish());
}

}  // namespace upcr::gasnet
