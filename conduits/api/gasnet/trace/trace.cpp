// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "conduits/api/gasnet/trace/output.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "include/gasnet/core.h"
#include "include/gasnet/tools/environment.h"

namespace upcr::gasnet {

bool observing = false;

namespace {

// Client threads count in the same ones.
struct Counter {
  std::atomic<std::uint64_t> count{0}, bytes{0}, min{~std::uint64_t{0}}, max{0}, ns{0};

  void add(std::uint64_t size, std::uint64_t time) noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(size, std::memory_order_relaxed);
    ns.fetch_add(time, std::memory_order_relaxed);
    for (auto old = min.load(std::memory_order_relaxed);
         size < old && !min.compare_exchange_weak(old, size, std::memory_order_relaxed);) {
    }
    for (auto old = max.load(std::memory_order_relaxed);
         size > old && !max.compare_exchange_weak(old, size, std::memory_order_relaxed);) {
    }
  }
};

// Made in gasnet_init() and never freed: threads may run while the process ends.
struct State {
  Output statistics, trace;
  std::array<Counter, kEvents> counters;
  std::uint64_t start_ns = 0;
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

double seconds(std::uint64_t ns) noexcept { return static_cast<double>(ns) / 1e9; }

// "1(5f0a) 0.012345678> (P) ": node, thread and time.
std::string heading(char letter) {
  return format("%u(%x) %.9f> (%c) ", gasneti_state.mynode, static_cast<unsigned>(gettid()),
                seconds(ticks_now() - state->start_ns), letter);
}

// A line of information, in the statistics and in the trace.
void add_information(const std::string& text) {
  for (Output* output : {&state->statistics, &state->trace})
    if (output->wants('I')) output->add(heading('I') + text + "\n");
}

std::string statistics_of(Event event, const Counter& c) {
  const std::uint64_t n = c.count.load(), bytes = c.bytes.load();
  std::string line = format("%-18s %10llu", name_of(event), static_cast<unsigned long long>(n));
  if (bytes != 0)
    line += format("  avg/min/max/total sz = %llu/%llu/%llu/%llu",
                   static_cast<unsigned long long>(bytes / std::max<std::uint64_t>(n, 1)),
                   static_cast<unsigned long long>(c.min.load()),
                   static_cast<unsigned long long>(c.max.load()), static_cast<unsigned long long>(bytes));
  return line + format("  avg/total time = %.3f/%.3f us",
                       static_cast<double>(c.ns.load()) / 1e3 / static_cast<double>(n),
                       static_cast<double>(c.ns.load()) / 1e3);
}

void write_statistics() {
  for (unsigned i = 0; i < kEvents; ++i) {
    const auto event = static_cast<Event>(i);
    const Counter& c = state->counters[i];
    if (c.count.load() != 0 && state->statistics.wants(letter_of(event)))
      state->statistics.add(heading(letter_of(event)) + statistics_of(event, c) + "\n");
  }
}

}  // namespace

void start_trace(const TraceStart& start) {
  auto* const s = new State;
  s->start_ns = ticks_now();
  s->counts = s->statistics.open("STATS", start.node, start.node == 0);
  s->lists = s->trace.open("TRACE", start.node, start.node == 0);
  if (!s->counts && !s->lists) {
    delete s;
    return;
  }
  s->lists_local = gasnett_getenv_yesno_withdefault("GASNET_TRACELOCAL", 1) != 0;
  if (gasnett_getenv_yesno_withdefault("GASNET_TRACEFLUSH", 0) != 0) s->trace.set_unbuffered();
  state = s;
  add_information(format("node %u of %u, pid %d: %s", start.node, start.nodes, static_cast<int>(getpid()),
                         start.program));
  observing = true;
}

void end_trace() noexcept {
  if (state == nullptr || state->ended.exchange(true)) return;
  if (state->counts) write_statistics();
  add_information("end");
  state->statistics.flush();
  state->trace.flush();
}

void Traced::begin() noexcept { start_ns_ = ticks_now(); }

void Traced::end() noexcept {
  const std::uint64_t time = ticks_now() - start_ns_;
  if (state->ended.load(std::memory_order_relaxed)) return;
  if (state->counts) state->counters[static_cast<unsigned>(event_)].add(bytes_, time);
  const bool local = node_ == gasneti_state.mynode && is_access(event_);
  if (!state->trace.wants(letter_of(event_)) || (local && !state->lists_local)) return;
  std::string line = heading(letter_of(event_)) + name_of(event_) + (local ? "_LOCAL:" : ":");
  if (function_ != nullptr) line += format(" %s", function_);
  if (node_ != kNoNode) line += format(" node=%u sz=%zu", node_, bytes_);
  state->trace.add(line + format(" time=%.3f us\n", static_cast<double>(time) / 1e3));
}

}  // namespace upcr::gasnet
