// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/counters.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "conduits/api/gasnet/trace/shared_memory.hpp"

namespace upcr::gasnet {
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

// Of the first threads that run at one time.
struct SharedCounters {
  static constexpr unsigned kThreads = 256;
  std::array<Counters, kThreads> of;
  std::atomic<unsigned> used{0};
};
constinit SharedCounters* shared_counters = nullptr;
// Of those beyond, in memory of the process, which ends with it.
constinit std::atomic<Counters*> more_counters{nullptr};
constinit thread_local Counters* my_counters = nullptr;

// `function` of all counters until it returns true: those.
template <typename Function>
Counters* find_counters(Function function) noexcept {
  const unsigned used =
      std::min(shared_counters->used.load(std::memory_order_acquire), SharedCounters::kThreads);
  for (unsigned i = 0; i < used; ++i)
    if (function(shared_counters->of[i])) return &shared_counters->of[i];
  for (Counters* c = more_counters.load(std::memory_order_acquire); c != nullptr; c = c->next)
    if (function(*c)) return c;
  return nullptr;
}

Counters* take_counters() {
  Counters* const free =
      find_counters([](Counters& c) { return !c.taken.exchange(true, std::memory_order_acquire); });
  if (free != nullptr) return free;
  if (shared_counters->used.load() < SharedCounters::kThreads) {
    const unsigned i = shared_counters->used.fetch_add(1);
    if (i < SharedCounters::kThreads) return &shared_counters->of[i];
  }
  auto* const c = new Counters;
  c->next = more_counters.load(std::memory_order_relaxed);
  while (!more_counters.compare_exchange_weak(c->next, c, std::memory_order_release)) {
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

}  // namespace

bool make_counters() noexcept { return (shared_counters = make_shared_object<SharedCounters>()) != nullptr; }

void count(Event event, std::uint64_t bytes, std::uint64_t time) noexcept {
  counters().of[static_cast<unsigned>(event)].add(bytes, time);
}

Sum::Sum(Event event) noexcept {
  find_counters([this, event](const Counters& c) {
    const Counter& one = c.of[static_cast<unsigned>(event)];
    count += one.count.load(std::memory_order_relaxed);
    bytes += one.bytes.load(std::memory_order_relaxed);
    time += one.time.load(std::memory_order_relaxed);
    min = std::min(min, one.min.load(std::memory_order_relaxed));
    max = std::max(max, one.max.load(std::memory_order_relaxed));
    return false;
  });
}

}  // namespace upcr::gasnet
