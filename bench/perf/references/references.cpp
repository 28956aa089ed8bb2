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
constexpr unsigned kSpins = 2000, kSpinsWhenCrowded = 200;

void await(const std::atomic<std::uint64_t>& word, std::uint64_t value, bool crowded) {
  const unsigned limit = crowded ? kSpinsWhenCrowded : kSpins;
  for (unsigned spins = 0; word.load(std::memory_order_acquire) != value;) {
    if (++spins < limit)
      upcr::cpu_pause();
    else
      sched_yield();
  }
}

}  // namespace

References::References(const ThreadTeam& team)
    : team_(team), here_(ThreadTeam::kBlockBytes, 1), stand_in_(ThreadTeam::kBlockBytes, 2) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&mutex_, &attributes);
  pthread_mutexattr_destroy(&attributes);
  count_cpus();
}

template <typename Exchange>
double References::trade(std::uint64_t n, Exchange&& exchange) {
  if (!team_.takes_part()) return 1;
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
  return trade(n, [&](std::uint64_t turn) {
    if (team_.leads()) {
      ping.store(turn, std::memory_order_release);
      await(pong, turn, crowded_);
    } else {
      await(ping, turn, crowded_);
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
      std::memcpy(stand_in_.data(), payload, bytes);
    else
      read_payload(payload, bytes);
  };
  return trade(n, [&](std::uint64_t turn) {
    if (team_.leads()) {
      std::memcpy(there, here_.data(), bytes);
      ping.store(turn, std::memory_order_release);
      await(pong, turn, crowded_);
      take(back);
    } else {
      await(ping, turn, crowded_);
      take(there);
      std::memcpy(back, here_.data(), bytes);
      pong.store(turn, std::memory_order_release);
    }
  });
}

std::uint64_t* References::far_memory() {
  std::uint64_t* mapped = team_.target_here();
  return mapped != nullptr ? mapped : reinterpret_cast<std::uint64_t*>(stand_in_.data());
}

double References::stores(std::uint64_t n) {
  if (!team_.leads()) return 1;
  std::uint64_t* to = far_memory();
  const double start = now_ns();
  walk_words(n, [&](std::uint64_t i) {
    to[i] = i;
    forget_memory();
  });
  return now_ns() - start;
}

double References::loads(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const std::uint64_t* from = far_memory();
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
  std::uint64_t* to = far_memory();
  const double start = now_ns();
  for (std::uint64_t i = 0; i < n; ++i) {
    to[i & 511] = i;
    forget_memory();
  }
  return now_ns() - start;
}

double References::masked_loads(std::uint64_t n) {
  if (!team_.leads()) return 1;
  const std::uint64_t* from = far_memory();
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
