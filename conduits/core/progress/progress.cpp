// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/progress/progress.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/ticks.hpp"

namespace upcr {

WaitObserver wait_observer{};
constinit thread_local bool observe_this_threads_waits = false;

namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_STALL_WARN", ConfigType::kInt, "0",
     "seconds after which a waiting thread reports what it waits for; 0: never", "0..1000000"},
    {"UPCR_SLEEP_LIMIT", ConfigType::kInt, "20", nullptr,
     "1..1000000"},  // for tests: a lost ring becomes a hang
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
// A wait is long when it has spun so often, which takes 1 us or more, and when it yields.
constexpr std::uint32_t kLongWaitSpins = 16;
// Of the thread, for all waits and jobs.
thread_local std::uint32_t spin_limit = kSpinCeiling / 8;
thread_local std::uint32_t failed_spins = 0;

// A sleeping thread wakes up this often even without a ring, which bounds the cost of unforeseen events. A
// background thread, on which no call of the program waits, wakes up a fifth as often. Where more than
// kSleepersPerCpu threads share a CPU they wake up more rarely, so that this takes no larger part of it: at
// some 30 us, a few hundred threads that woke up every 20 ms would leave nothing.
constexpr std::uint32_t kSleepersPerCpu = 8;
std::chrono::microseconds sleep_limit(const WaitPolicy& policy, bool background) {
  static const std::int64_t ms = config_int("UPCR_SLEEP_LIMIT");
  const std::int64_t share = std::max(policy.threads_per_cpu / kSleepersPerCpu, 1u);
  return std::chrono::milliseconds((background ? 5 * ms : ms) * share);
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
// Polls without result, for a request that has no room, before its thread naps: a millisecond and more.
constexpr std::uint32_t kRoomPolls = 1 << 14;
// A background thread naps for an eighth of the time since it was last busy, so it adds little to the waiting
// time of its peers, and an idle one uses less than 1 % of a core.
constexpr std::uint32_t kBackgroundNap = 8000;
constexpr std::uint64_t kBackgroundShare = 8;

void nap_for(std::uint32_t us) noexcept {
  const timespec time{0, static_cast<long>(us) * 1000};
  (void)::clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

std::uint32_t background_nap(std::uint64_t idle_ns) noexcept {
  const std::uint64_t share_us = idle_ns / 1000 / kBackgroundShare;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share_us, kLongNap, kBackgroundNap));
}

}  // namespace

void ProgressEngine::attach(AmEngine& engine, const Doorbells& doorbells) noexcept {
  engine_ = &engine;
  doorbells_ = &doorbells;
  const auto wait = [](void* self, std::uint32_t idle) {
    return static_cast<ProgressEngine*>(self)->wait_for_room(idle);
  };
  engine.set_room_wait(wait, this);
}

void ProgressEngine::add_hook(unsigned (*hook)(void*), void* context, HookKind kind) {
  const int count = hook_count_.load(std::memory_order_relaxed);
  UPCR_ASSERT(count < kMaxHooks);
  hooks_[count] = {hook, context, kind};
  hook_count_.store(count + 1, std::memory_order_release);
}

[[gnu::noinline]] unsigned ProgressEngine::run_hooks() {
  unsigned moved = 0;
  for (int i = 0, n = hook_count_.load(std::memory_order_acquire); i < n; ++i)
    moved += hooks_[i].run(hooks_[i].context);
  if (!work_.needs_poll()) return moved;
  if (moved == 0) cpu_relax_or_yield();
  return moved + 1;
}

unsigned ProgressEngine::poll() {
  const unsigned taken = engine_->poll();
  return __builtin_expect(work_.any(), 0) ? taken + run_hooks() : taken;
}

// Called for a request without room. Hooks that may wait do not run here: one of them may have sent the
// request, or change data that its sender is about to read. No ring announces room, so a thread that has
// waited for long naps.
unsigned ProgressEngine::wait_for_room(std::uint32_t idle) {
  unsigned moved = engine_->poll();
  if (work_.any())
    for (int i = 0, n = hook_count_.load(std::memory_order_acquire); i < n; ++i)
      if (hooks_[i].kind == HookKind::kNeverWaits) moved += hooks_[i].run(hooks_[i].context);
  if (moved == 0 && idle >= kRoomPolls) nap_for(kShortNap);
  return moved;
}

// The number of spins of this wait.
inline std::uint32_t Waiter::spins() noexcept {
  if (policy().cpus_to_spare) return spin_limit;
  if (policy().processes_fit && failed_spins % kTrialInterval == 0) return std::max(spin_limit, kTrialSpins);
  return std::min(spin_limit, kOversubscribedCeiling);
}

bool Waiter::pause() noexcept {
  if (policy().network) return pause_on_network();
  if (tries_ < spins() && may_spin()) {
    if (++tries_ == kLongWaitSpins) is_long();
    cpu_pause();
    return false;
  }
  if (yields_ == 0) {
    is_long();
    spin_limit = std::max(spin_limit / 2, policy().cpus_to_spare ? kSpinFloor : kOversubscribedFloor);
    ++failed_spins;
    if (!background_) progress_->affinity_.return_to_preferred_cpu(slot_);
    idle_since_ns_ = ticks_now();
    note_idle_wait(idle_since_ns_);
  }
  if (yields_ >= kYields && (yields_early() || ticks_now() - idle_since_ns_ >= kMaxPollNs)) return true;
  ++yields_;
  ::sched_yield();
  return false;
}

bool Waiter::yields_early() const noexcept { return !policy().cpus_to_spare || background_ || !may_spin(); }

void Waiter::is_long() noexcept {
  if (long_ || wait_observer.long_began == nullptr) return;
  long_ = true;
  wait_observer.long_began();
}

void Waiter::success() noexcept {
  if (long_) wait_observer.long_over();
  long_ = false;
  if (yields_ == 0 && tries_ != 0 && tries_ != kNoMoreSpins)
    spin_limit = std::min(std::max(spin_limit * 2, tries_ + 1),
                          policy().cpus_to_spare ? kSpinCeiling : kOversubscribedCeiling);
  busy();
}

bool Waiter::pause_on_network() noexcept {
  const bool early = yields_early();
  if (!early && tries_ < kNetworkSpins) {
    if (++tries_ == kLongWaitSpins) is_long();
    cpu_pause();
    return false;
  }
  const std::uint64_t now = ticks_now();
  if (yields_++ == 0) {
    is_long();
    idle_since_ns_ = now;
    note_idle_wait(now);
    nap_us_ = 0;
  }
  if (now - idle_since_ns_ >= (early ? kEarlyMaxPollNs : kMaxPollNs)) return true;
  if (!policy().poll_yields) ::sched_yield();
  return false;
}

bool Waiter::uses_doorbell() const noexcept {
  return !(policy().network && background_) || policy().network_bell;
}

void Waiter::arm() noexcept {
  // A nap is so short that a missed ring does no harm: no memory barrier, which would interrupt other
  // processes.
  if (uses_doorbell()) epoch_ = doorbell().prepare_wait(!policy().network || policy().network_bell);
  armed_ = true;
}

void Waiter::disarm() noexcept {
  if (uses_doorbell()) doorbell().finish_wait();
  armed_ = false;
}

void Waiter::sleep_armed() noexcept {
  bool rung = true;
  if (policy().network_bell)
    rung = sleep_until_rung();
  else if (policy().network)
    rung = nap();
  else
    rung = progress_->engine_->pending() || doorbell().wait(epoch_, sleep_limit(policy(), background_));
  if (rung || policy().network)
    disarm();
  else
    epoch_ = doorbell().prepare_again();
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
  if (!progress_->engine_->arm()) return true;
  progress_->network_bell_.watch();
  return doorbell().wait(epoch_, sleep_limit(policy(), background_));
}

// True when the thread was rung.
bool Waiter::nap() noexcept {
  if (progress_->engine_->has_neighbours_packets()) return true;
  const bool pending = progress_->engine_->pending();
  if (background_) {
    nap_for(pending ? kShortNap : background_nap(ticks_now() - idle_since_ns_));
    return false;
  }
  const std::uint32_t longest = policy().all_ring && !pending ? kLongNap : kShortNap;
  nap_us_ = nap_us_ == 0 ? kShortNap : std::min(2 * nap_us_, longest);
  return doorbell().wait(epoch_, std::chrono::microseconds(nap_us_));
}

void Waiter::woke() noexcept {
  static const std::int64_t limit_s = config_int("UPCR_STALL_WARN");
  if (limit_s == 0 || what_ == nullptr) return;
  const std::uint64_t now = ticks_now(), recorded = idle_wait_since();
  if (since_ns_ == 0) since_ns_ = recorded != 0 ? recorded : now;
  if (now - since_ns_ < static_cast<std::uint64_t>(limit_s) * 1000000000u) return;
  if (recorded != 0 ? !claim_stall_report() : warned_) return;
  warned_ = true;
  if (progress_->stall_reported_ != nullptr && progress_->stall_reported_(limit_s)) return;
  warn("UPC thread %u has been waiting for %lld s: %s (%llu)", slot_, static_cast<long long>(limit_s), what_,
       static_cast<unsigned long long>(detail_));
}

}  // namespace upcr
