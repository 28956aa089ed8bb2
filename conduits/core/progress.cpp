// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/progress.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "conduits/base/config.hpp"
#include "conduits/base/report.hpp"
#include "conduits/core/errands.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_STALL_WARN", ConfigType::kInt, "0",
     "seconds after which a waiting thread says what it waits for; 0: never", "0..1000000"},
};
ConfigTable table("progress", kVars);

// How long to spin is learnt: halved by each wait that spun in vain, doubled by each that did not.
constexpr std::uint32_t kSpinFloor = 8, kSpinCeiling = 2048;
constexpr std::uint32_t kYields = 20;
thread_local std::uint32_t spin_limit = kSpinCeiling / 8;
std::atomic<bool> may_spin{true};

// A sleeper looks around this often even when nobody rings: bounds the cost of anything unforeseen.
constexpr std::chrono::microseconds kSleepLimit{20000};
// Until a network conduit offers a descriptor to sleep on, naps are short.
constexpr std::chrono::microseconds kNetworkNap{100};

struct Hook {
  void (*run)(void*);
  void* context;
};
constexpr int kMaxHooks = 8;
Hook hooks[kMaxHooks];
int hook_count = 0;

std::uint64_t now_ns() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

void add_progress_hook(void (*hook)(void*), void* context) {
  UPCR_ASSERT(hook_count < kMaxHooks);
  hooks[hook_count++] = {hook, context};
}

unsigned make_progress() {
  const unsigned taken = job().engine->poll();
  for (int i = 0; i < hook_count; ++i) hooks[i].run(hooks[i].context);
  return taken + run_errands();
}

void set_patience(bool spins) noexcept { may_spin.store(spins, std::memory_order_relaxed); }

bool Waiter::pause() noexcept {
  if (tries_ < spin_limit && may_spin.load(std::memory_order_relaxed)) {
    ++tries_;
    cpu_pause();
    return false;
  }
  if (yields_ == 0) spin_limit = std::max(spin_limit / 2, kSpinFloor);
  if (yields_ < kYields) {
    ++yields_;
    ::sched_yield();
    return false;
  }
  return true;
}

void Waiter::success() noexcept {
  if (yields_ == 0 && tries_ != 0) spin_limit = std::min(spin_limit * 2, kSpinCeiling);
  tries_ = yields_ = 0;
}

std::chrono::microseconds Waiter::sleep_limit() const noexcept {
  return job().conduit->caps().shares_memory_only ? kSleepLimit : kNetworkNap;
}

void Waiter::woke() noexcept {
  ++sleeps_;
  yields_ = 0;
  tries_ = spin_limit;  // straight to yielding: whoever rang may still be running here
  static const std::int64_t limit_s = config_int("UPCR_STALL_WARN");
  if (limit_s == 0 || reason_.what == nullptr || warned_) return;
  const std::uint64_t now = now_ns();
  if (since_ns_ == 0) since_ns_ = now;
  if (now - since_ns_ < static_cast<std::uint64_t>(limit_s) * 1000000000u) return;
  warned_ = true;
  warn("UPC thread %u has been waiting for %lld s: %s (%llu)", slot_, static_cast<long long>(limit_s),
       reason_.what, static_cast<unsigned long long>(reason_.detail));
}

}  // namespace upcr
