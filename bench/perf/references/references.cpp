// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/references/references.hpp"

#include <sched.h>

#include <atomic>
#include <cstring>

#include "bench/perf/measure/interleave.hpp"
#include "bench/perf/measure/payload.hpp"
#include "bench/perf/references/raw_layout.hpp"
#include "conduits/core/base/system/cpu.hpp"

namespace perf {
namespace {

// Then the other side is likely to need this CPU.
constexpr unsigned kSpins = 2000, kSpinsOversubscribed = 200;

void await(const std::atomic<std::uint64_t>& word, std::uint64_t value, bool crowded) {
  const unsigned limit = crowded ? kSpinsOversubscribed : kSpins;
  for (unsigned spins = 0; word.load(std::memory_order_acquire) != value;) {
    if (++spins < limit)
      upcr::cpu_pause();
    else
      sched_yield();
  }
}

}  // namespace

References::References(const ThreadTeam& team)
    : team_(team), here_(ThreadTeam::kBlockBytes, 1), fallback_(ThreadTeam::kBlockBytes, 2) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&mutex_, &attributes);
  pthread_mutexattr_destroy(&attributes);
  count_cpus();
}

template <typename Exchange>
double References::timed_turns(std::uint64_t n, Exchange&& exchange) {
  if (!team_.participates()) return 1;
  double start = 0;
  for (std::uint64_t i = 0; i < n + kWarmUp; ++i) {
    if (i == kWarmUp) start = now_ns();
    exchange(++turn_);
  }
  return now_ns() - start;
}

double References::ping_pong(std::uint64_t n) {
  auto& ping = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.raw() + raw_layout::kPing);
  auto& pong = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.raw() + raw_layout::kPong);
  return timed_turns(n, [&](std::uint64_t turn) {
    if (team_.leads()) {
      ping.store(turn, std::memory_order_release);
      await(pong, turn, oversubscribed_);
    } else {
      await(ping, turn, oversubscribed_);
      pong.store(turn, std::memory_order_release);
    }
  });
}

double References::ping_pong_copy(std::uint64_t n, std::size_t bytes) {
  return ping_pong_payload(n, bytes, true);
}
double References::ping_pong_store(std::uint64_t n, std::size_t bytes) {
  return ping_pong_payload(n, bytes, false);
}

double References::ping_pong_payload(std::uint64_t n, std::size_t bytes, bool copy_out) {
  auto& ping = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.raw() + raw_layout::kPing);
  auto& pong = *reinterpret_cast<std::atomic<std::uint64_t>*>(team_.raw() + raw_layout::kPong);
  char* there = team_.raw() + raw_layout::kThere;
  char* back = team_.raw() + raw_layout::kBack;
  const auto take = [&](const char* payload) {
    if (copy_out)
      std::memcpy(fallback_.data(), payload, bytes);
    else
      read_payload(payload, bytes);
  };
  return timed_turns(n, [&](std::uint64_t turn) {
    if (team_.leads()) {
      std::memcpy(there, here_.data(), bytes);
      ping.store(turn, std::memory_order_release);
      await(pong, turn, oversubscribed_);
      take(back);
    } else {
      await(ping, turn, oversubscribed_);
      take(there);
      std::memcpy(back, here_.data(), bytes);
      pong.store(turn, std::memory_order_release);
    }
  });
}

std::uint64_t* References::partner_memory() {
  std::uint64_t* mapped = team_.target_here();
  return mapped != nullptr ? mapped : reinterpret_cast<std::uint64_t*>(fallback_.data());
}

double References::stores(std::uint64_t n) {
  if (!team_.leads()) return 1;
  std::uint64_t* to = partner_memory();
  const double start = now_ns();
  walk_words(n, [&](std::uint64_t i) {
    to[i] = i;
    forget_memory();
  });
  return now_ns() - start;
}

double References::loads(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const std::uint64_t* from = partner_memory();
  std::uint64_t sum = 0;
  const double start = now_ns();
  walk_words(n, [&](std::uint64_t i) {
    sum += from[i];
    forget_memory();
  });
  keep(sum);
  return now_ns() - start;
}

double References::masked_stores(std::uint64_t n) {
  if (!team_.leads()) return 1;
  std::uint64_t* to = partner_memory();
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) {
    to[i & 511] = i;
    forget_memory();
  }
  return now_ns() - start;
}

double References::masked_loads(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const std::uint64_t* from = partner_memory();
  std::uint64_t sum = 0;
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) {
    sum += from[i & 511];
    forget_memory();
  }
  keep(sum);
  return now_ns() - start;
}

double References::fetch_adds(std::uint64_t n) {
  if (!team_.leads()) return 1;
  auto& word = *reinterpret_cast<std::atomic<std::uint64_t>*>(here_.data());
  std::uint64_t sum = 0;
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) sum += word.fetch_add(i);
  keep(sum);
  return now_ns() - start;
}

double References::mutexes(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) {
    pthread_mutex_lock(&mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  return now_ns() - start;
}

}  // namespace perf
