// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <string>

#include "conduits/api/gasnet/trace/output.hpp"
#include "conduits/core/base/system/counter_clock.hpp"
#include "include/gasnet/core.h"
#include "include/gasnet/tools/environment.h"
#include "include/gasnet/tools/system.h"

namespace upcr::gasnet {

bool observing = false;

namespace {

// What one thread counts. Only that thread writes; others may read at any time.
struct Counter {
  std::atomic<std::uint64_t> count{0}, bytes{0}, min{~std::uint64_t{0}}, max{0}, time{0};

  void add(std::uint64_t size, std::uint64_t taken) noexcept {
    raise(count, 1);
    raise(time, taken);
    if (size != 0) raise(bytes, size);
    if (size < min.load(std::memory_order_relaxed)) min.store(size, std::memory_order_relaxed);
    if (size > max.load(std::memory_order_relaxed)) max.store(size, std::memory_order_relaxed);
  }

 private:
  static void raise(std::atomic<std::uint64_t>& sum, std::uint64_t by) noexcept {
    sum.store(sum.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
};

// Never freed: when its thread ends, another one goes on with it.
struct alignas(64) Counters {
  std::array<Counter, kEvents> of;
  std::atomic<bool> taken{true};
  Counters* next = nullptr;  // of all; written before they are in the list
};
constinit std::atomic<Counters*> all_counters{nullptr};
constinit thread_local Counters* my_counters = nullptr;

Counters* take_counters() {
  for (Counters* c = all_counters.load(std::memory_order_acquire); c != nullptr; c = c->next)
    if (!c->taken.exchange(true, std::memory_order_acquire)) return c;
  auto* const c = new Counters;
  c->next = all_counters.load(std::memory_order_relaxed);
  while (!all_counters.compare_exchange_weak(c->next, c, std::memory_order_release)) {
  }
  return c;
}

// A thread that counts after this was destroyed, at its end, shares its counters with the next one.
struct TakenCounters {
  Counters* const counters = take_counters();
  TakenCounters() = default;
  TakenCounters(const TakenCounters&) = delete;
  TakenCounters& operator=(const TakenCounters&) = delete;
  ~TakenCounters() { counters->taken.store(false, std::memory_order_release); }
};

[[gnu::noinline]] Counters& new_counters() {
  static thread_local TakenCounters taken;
  return *(my_counters = taken.counters);
}
Counters& counters() { return __builtin_expect(my_counters != nullptr, 1) ? *my_counters : new_counters(); }

// The sum of all threads.
struct Sum {
  std::uint64_t count = 0, bytes = 0, min = ~std::uint64_t{0}, max = 0, time = 0;

  explicit Sum(Event event) noexcept {
    for (const Counters* c = all_counters.load(std::memory_order_acquire); c != nullptr; c = c->next) {
      const Counter& one = c->of[static_cast<unsigned>(event)];
      count += one.count.load(std::memory_order_relaxed);
      bytes += one.bytes.load(std::memory_order_relaxed);
      time += one.time.load(std::memory_order_relaxed);
      min = std::min(min, one.min.load(std::memory_order_relaxed));
      max = std::max(max, one.max.load(std::memory_order_relaxed));
    }
  }
};

// A trace has times of the clock by which nodes of one host are compared; statistics alone the processor's
// counter, whose reading costs less.
std::uint64_t time_now(bool lists) noexcept { return lists ? ticks_now() : counter_now(); }

// Made in gasnet_init() and never freed: threads may run while the process ends.
struct State {
  Output statistics, trace;
  Moment start;
  std::array<bool, kEvents> wanted{};  // counted or listed
  bool counts = false, lists = false, lists_local = true;
  std::atomic<bool> ended{false};
};
State* state = nullptr;

__attribute__((format(printf, 1, 2))) std::string format(const char* text, ...) {
  char line[512];
  std::va_list args;
  va_start(args, text);
  const int n = std::vsnprintf(line, sizeof line, text, args);
  va_end(args);
  return {line, std::min(static_cast<std::size_t>(std::max(n, 0)), sizeof line - 1)};
}

// In a double nanoseconds since 1970 would be rounded.
std::string text_of_seconds(std::uint64_t ns) {
  return format("%llu.%09llu", static_cast<unsigned long long>(ns / 1'000'000'000),
                static_cast<unsigned long long>(ns % 1'000'000'000));
}

std::uint64_t ns_since_1970() noexcept {
  timespec now{};
  (void)::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// "1(5f0a) 0.012345678> (P) ": node, thread and time, since the start.
std::string heading(char letter, std::uint64_t ns = ticks_now() - state->start.ns) {
  return format("%u(%x) %s> (%c) ", gasneti_state.mynode, static_cast<unsigned>(gettid()),
                text_of_seconds(ns).c_str(), letter);
}

// A line of information, in the statistics and in the trace.
void add_information(const std::string& text) {
  for (Output* output : {&state->statistics, &state->trace})
    if (output->wants('I')) output->add(heading('I') + text + "\n");
}

// `tick`: null: the times are in nanoseconds.
std::string statistics_of(Event event, const Sum& c, const TickLength* tick) {
  std::string line = format("%-18s %10llu", name_of(event), static_cast<unsigned long long>(c.count));
  if (c.bytes != 0)
    line += format("  avg/min/max/total sz = %llu/%llu/%llu/%llu",
                   static_cast<unsigned long long>(c.bytes / c.count), static_cast<unsigned long long>(c.min),
                   static_cast<unsigned long long>(c.max), static_cast<unsigned long long>(c.bytes));
  const double us = static_cast<double>(tick != nullptr ? tick->ns(c.time) : c.time) / 1e3;
  return line + format("  avg/total time = %.3f/%.3f us", us / static_cast<double>(c.count), us);
}

void write_statistics() {
  const TickLength tick(state->start, Moment::now());
  for (unsigned i = 0; i < kEvents; ++i) {
    const auto event = static_cast<Event>(i);
    const Sum sum(event);
    if (sum.count != 0 && state->statistics.wants(letter_of(event)))
      state->statistics.add(heading(letter_of(event)) +
                            statistics_of(event, sum, state->lists ? nullptr : &tick) + "\n");
  }
}

}  // namespace

void start_trace(const TraceStart& start) {
  auto* const s = new State;
  s->start = Moment::now();
  s->counts = s->statistics.open("STATS", start.node, start.node == 0);
  s->lists = s->trace.open("TRACE", start.node, start.node == 0);
  if (!s->counts && !s->lists) {
    delete s;
    return;
  }
  s->lists_local = gasnett_getenv_yesno_withdefault("GASNET_TRACELOCAL", 1) != 0;
  if (gasnett_getenv_yesno_withdefault("GASNET_TRACEFLUSH", 0) != 0) s->trace.set_unbuffered();
  for (unsigned i = 0; i < kEvents; ++i) {
    const char letter = letter_of(static_cast<Event>(i));
    s->wanted[i] = s->statistics.wants(letter) || s->trace.wants(letter);
  }
  state = s;
  add_information(
      format("node %u of %u, pid %d, host %s, clock %s (%s): %s", start.node, start.nodes,
             static_cast<int>(getpid()), gasnett_gethostname(), text_of_seconds(s->start.ns).c_str(),
             text_of_seconds(s->start.ns + ns_since_1970() - ticks_now()).c_str(), start.program));
  observing = true;
}

void end_trace() noexcept {
  if (state == nullptr || state->ended.exchange(true)) return;
  if (state->counts) write_statistics();
  add_information("end");
  state->statistics.flush();
  state->trace.flush();
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
  if (state->counts) counters().of[static_cast<unsigned>(event)].add(bytes, time);
  if (!state->lists) return;
  const bool local = node == gasneti_state.mynode && is_access(event);
  if (!state->trace.wants(letter_of(event)) || (local && !state->lists_local)) return;
  std::string line =
      heading(letter_of(event), start + time - state->start.ns) + name_of(event) + (local ? "_LOCAL:" : ":");
  if (function != nullptr) line += format(" %s", function);
  if (node != kNoNode) line += format(" node=%u sz=%zu", node, bytes);
  state->trace.add(line + format(" time=%.3f us\n", static_cast<double>(time) / 1e3));
}

}  // namespace upcr::gasnet
