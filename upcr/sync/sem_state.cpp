// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/sync/sem_state.hpp"

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/sem.h"
#include "upcr/access/data.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

constexpr std::uint32_t kNoSleeper = 0;

void check_only(const char* what, std::atomic<std::uint32_t>& first, Slot caller, const char* promise) {
#if UPCR_DEBUG
  std::uint32_t seen = 0;
  if (!first.compare_exchange_strong(seen, caller + 1) && seen != caller + 1)
    fatal("%s: UPC thread %u, after UPC thread %u, on a semaphore that was allocated with %s", what, caller,
          seen - 1, promise);
#endif
}

void check_integer(const char* what, const Sem& s, std::uint64_t n, bool counted) {
#if UPCR_DEBUG
  if ((s.flags & BUPC_SEM_BOOLEAN) != 0 && (counted || n > 1))
    fatal("%s: %llu at once on a semaphore that was allocated with BUPC_SEM_BOOLEAN; use the form without N",
          what, static_cast<unsigned long long>(n));
#endif
}

void ring_sleepers(Sem& s) noexcept {
  const std::uint32_t sleeper = s.sleeper.load(std::memory_order_seq_cst);
  if (sleeper == kWholeHost)
    job().doorbells.ring_window_group();
  else if (sleeper != kNoSleeper)
    ring(sleeper - 1);
}

}  // namespace

void post_mapped(Sem& s, std::uint64_t n, Slot caller, bool counted) {
  if (n == 0) return;
  check_integer("a post", s, n, counted);
  if ((s.flags & BUPC_SEM_SPRODUCER) != 0) check_only("a post", s.producer, caller, "BUPC_SEM_SPRODUCER");
  if ((s.flags & BUPC_SEM_BOOLEAN) != 0) {
    s.value.exchange(1, std::memory_order_seq_cst);
  } else {
    [[maybe_unused]] const std::uint64_t before = s.value.fetch_add(n, std::memory_order_seq_cst);
#if UPCR_DEBUG
    if (before + n > BUPC_SEM_MAXVALUE)
      fatal("a post of %llu by UPC thread %u takes a semaphore from %llu beyond BUPC_SEM_MAXVALUE = %d",
            static_cast<unsigned long long>(n), caller, static_cast<unsigned long long>(before),
            BUPC_SEM_MAXVALUE);
#endif
  }
  ring_sleepers(s);
}

bool try_acquire(Sem& s, std::uint64_t n) noexcept {
  std::uint64_t value = s.value.load(std::memory_order_acquire);
  while (value >= n)
    if (s.value.compare_exchange_weak(value, value - n, std::memory_order_seq_cst)) return true;
  return false;
}

void check_acquire(Sem& s, std::uint64_t n, Slot caller, bool counted) {
  check_integer("a wait", s, n, counted);
  if ((s.flags & BUPC_SEM_SCONSUMER) != 0) check_only("a wait", s.consumer, caller, "BUPC_SEM_SCONSUMER");
}

void register_sleeper(Sem& s, std::uint32_t sleeper) noexcept {
  std::uint32_t seen = kNoSleeper;
  if (!s.sleeper.compare_exchange_strong(seen, sleeper) && seen != sleeper) s.sleeper.store(kWholeHost);
}

}  // namespace upcr
