// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/progress/progress.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "conduits/core/wait/network_bell.hpp"
#include "conduits/core/wait/soft_affinity.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_STALL_WARN", ConfigType::kInt, "0",
     "seconds after which a waiting thread says what it waits for; 0: never", "0..1000000"},
    {"UPCR_SLEEP_LIMIT", ConfigType::kInt, "20", nullptr, "1..1000000"},  // of tests: a lost ring is a hang
};
ConfigTable table("progress", kVars);

// The spin limit adapts: each wait whose spin failed halves it, each successful one doubles it. With more
// threads than CPUs the thread that is waited for needs a CPU: then the floor is 1, and the ceiling is a few
// times the duration of a round trip. But if every process can have a CPU, the awaited process may be
// running: one wait in kTrialInterval spins at least kTrialSpins times, to find out.
constexpr std::uint32_t kSpinFloor = 8, kOversubscribedFloor = 1, kSpinCeiling = 2048,
                        kOversubscribedCeiling = 64;
constexpr std::uint32_t kTrialInterval = 16, kTrialSpins = 24;
constexpr std::uint32_t kYields = 20;
// Of the thread, for all waits and jobs.
thread_local std::uint32_t spin_limit = kSpinCeiling / 8;
thread_local std::uint32_t failed_spins = 0;
std::atomic<bool> may_spin{true};

// A sleeper looks around this often even when nobody rings: bounds the cost of anything unforeseen. In the
// background, where nobody waits for this thread's own sake, five times as seldom.
std::chrono::microseconds sleep_limit(bool modest) {
  static const std::int64_t ms = config_int("UPCR_SLEEP_LIMIT");
  return std::chrono::milliseconds(modest ? 5 * ms : ms);
}

// The time for which a thread with a CPU to itself polls before it sleeps or naps: longer than a peer's copy,
// and than a round trip to a process that runs.
constexpr std::uint64_t kMaxPollNs = 2'000'000;
// The same over a network, where a poll costs 0.1 us to 2 us; and for a thread without a CPU to itself.
constexpr std::uint32_t kNetworkSpins = 200;
constexpr std::uint64_t kEarlyMaxPollNs = 100'000;
// Naps, in microseconds; the kernel's timer slack adds up to 50. Neighbours ring, but MPI may delay messages
// that it has accepted, so even a thread that will be rung polls once a millisecond.
constexpr std::uint32_t kShortNap = 50, kLongNap = 1000;
// A thread in the background naps for an eighth of the time since it was last busy, so it adds little to what
// its peers wait anyway, and an idle one looks so seldom that it uses less than 1 % of a core.
constexpr std::uint32_t kBackgroundNap = 8000;
constexpr std::uint64_t kBackgroundShare = 8;
WaitPolicy way;

void nap_for(std::uint32_t us) noexcept {
  const timespec time{0, static_cast<long>(us) * 1000};
  (void)::clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

std::uint32_t background_nap(std::uint64_t idle_ns) noexcept {
  const std::uint64_t share_us = idle_ns / 1000 / kBackgroundShare;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share_us, kLongNap, kBackgroundNap));
}

struct Hook {
  unsigned (*run)(void*);
  void* context;
};
constexpr int kMaxHooks = 8;
Hook hooks[kMaxHooks];
int hook_count = 0;

}  // namespace

void add_progress_hook(unsigned (*hook)(void*), void* context) {
  UPCR_ASSERT(hook_count < kMaxHooks);
  hooks[hook_count++] = {hook, context};
}

ProgressWork progress_work;

namespace {

[[gnu::noinline]] unsigned run_hooks() {
  unsigned moved = 0;
  for (int i = 0; i < hook_count; ++i) moved += hooks[i].run(hooks[i].context);
  if (!progress_work.needs_poll()) return moved;
  if (moved == 0) cpu_relax_or_yield();
  return moved + 1;
}

}  // namespace

unsigned make_progress() {
  const unsigned taken = job().engine->poll();
  return __builtin_expect(progress_work.any(), 0) ? taken + run_hooks() : taken;
}

void set_spin_wait(bool spins) noexcept { may_spin.store(spins, std::memory_order_relaxed); }

void set_wait_policy(const WaitPolicy& chosen) noexcept { way = chosen; }

// For how long to spin now.
inline std::uint32_t Waiter::spins() noexcept {
  if (way.cpus_to_spare) return spin_limit;
  if (way.processes_fit && failed_spins % kTrialInterval == 0) return std::max(spin_limit, kTrialSpins);
  return std::min(spin_limit, kOversubscribedCeiling);
}

bool Waiter::pause() noexcept {
  if (way.network) return pause_on_network();
  if (tries_ < spins() && may_spin.load(std::memory_order_relaxed)) {
    ++tries_;
    cpu_pause();
    return false;
  }
  if (yields_ == 0) {
    spin_limit = std::max(spin_limit / 2, way.cpus_to_spare ? kSpinFloor : kOversubscribedFloor);
    ++failed_spins;
    if (!background_) return_to_preferred_cpu(slot_);
    idle_since_ns_ = ticks_now();
  }
  if (yields_ >= kYields && (yield_early() || ticks_now() - idle_since_ns_ >= kMaxPollNs)) return true;
  ++yields_;
  ::sched_yield();
  return false;
}

bool Waiter::yield_early() const noexcept {
  return !way.cpus_to_spare || background_ || !may_spin.load(std::memory_order_relaxed);
}

void Waiter::success() noexcept {
  if (yields_ == 0 && tries_ != 0 && tries_ != kNoMoreSpins)
    spin_limit = std::min(std::max(spin_limit * 2, tries_ + 1),
                          way.cpus_to_spare ? kSpinCeiling : kOversubscribedCeiling);
  busy();
}

bool Waiter::pause_on_network() noexcept {
  const bool hurried = yield_early();
  if (!hurried && tries_ < kNetworkSpins) {
    ++tries_;
    cpu_pause();
    return false;
  }
  const std::uint64_t now = ticks_now();
  if (yields_++ == 0) {
    idle_since_ns_ = now;
    nap_us_ = 0;
  }
  if (now - idle_since_ns_ >= (hurried ? kEarlyMaxPollNs : kMaxPollNs)) return true;
  if (!way.poll_yields) ::sched_yield();
  return false;
}

bool Waiter::uses_doorbell() const noexcept { return !(way.network && background_) || way.bell; }

void Waiter::arm() noexcept {
  // A nap is so short that a ring may be missed: no barrier, which would interrupt the other processes.
  if (uses_doorbell()) epoch_ = job().doorbells.of(slot_).prepare_wait(!way.network || way.bell);
  armed_ = true;
}

void Waiter::disarm() noexcept {
  if (uses_doorbell()) job().doorbells.of(slot_).finish_wait();
  armed_ = false;
}

void Waiter::sleep_armed() noexcept {
  bool rung = true;
  if (way.bell)
    rung = sleep_until_rung();
  else if (way.network)
    rung = nap();
  else
    rung = job().engine->pending() || job().doorbells.of(slot_).wait(epoch_, sleep_limit(background_));
  disarm();
  slept(rung);
  woke();
}

void Waiter::slept(bool rung) noexcept {
  if (!rung) return;
  yields_ = 0;
  tries_ = kNoMoreSpins;  // yield at once: the thread that rang may still be running on this CPU
}

// Over a network with a wait_fd. True when polling again at once is worth it.
bool Waiter::sleep_until_rung() noexcept {
  if (background_ && spurious_wakeup_) {  // other threads receive the messages: let them do so for a while
    spurious_wakeup_ = false;
    nap_for(kLongNap);
    return false;
  }
  spurious_wakeup_ = true;
  if (!job().engine->arm()) return true;
  watch_network();
  return job().doorbells.of(slot_).wait(epoch_, sleep_limit(background_));
}

// True when the thread was rung.
bool Waiter::nap() noexcept {
  const bool pending = job().engine->pending();
  if (background_) {
    nap_for(pending ? kShortNap : background_nap(ticks_now() - idle_since_ns_));
    return false;
  }
  const std::uint32_t longest = way.all_ring && !pending ? kLongNap : kShortNap;
  nap_us_ = nap_us_ == 0 ? kShortNap : std::min(2 * nap_us_, longest);
  return job().doorbells.of(slot_).wait(epoch_, std::chrono::microseconds(nap_us_));
}

void Waiter::woke() noexcept {
  static const std::int64_t limit_s = config_int("UPCR_STALL_WARN");
  if (limit_s == 0 || reason_.what == nullptr || warned_) return;
  const std::uint64_t now = ticks_now();
  if (since_ns_ == 0) since_ns_ = now;
  if (now - since_ns_ < static_cast<std::uint64_t>(limit_s) * 1000000000u) return;
  warned_ = true;
  warn("UPC thread %u has been waiting for %lld s: %s (%llu)", slot_, static_cast<long long>(limit_s),
       reason_.what, static_cast<unsigned long long>(reason_.detail));
}

}  // namespace upcr
