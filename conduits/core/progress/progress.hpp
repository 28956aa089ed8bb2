// SPDX-License-Identifier: BSD-3-Clause
// The progress engine: polling, progress hooks, waiting. All blocking calls wait here, so a waiting thread
// always serves its peers, yields its CPU to them when there are more threads than CPUs, and sleeps when
// idle.
//
// The conduit decides how a thread waits that has polled without result:
//   Shared memory only (Caps::shares_memory_only), where senders ring. The thread spins for as long as that
//   has paid lately, yields, and sleeps until rung. With a CPU to itself it yields for some milliseconds:
//   sleep and wake-up cost each side at least one interrupt of another CPU, which takes up to milliseconds on
//   a virtual machine.
//
//   A network. With a CPU to itself the thread polls for some milliseconds, first without a break, then
//   yielding; with more threads than CPUs it yields at once, and for a short time. Then:
//     With a wait_fd (Conduit::wait_fd) it sleeps until rung, by a thread that shares memory with it or by
//     the thread that waits for the network (network_bell.hpp). Without a wait_fd it naps. Neighbours ring
//     (Doorbells::ring_neighbour), so naps grow if all processes are on this host; else, or while operations
//     of this process are pending, they stay short.
//
// Never called from the inline access path, an allocator under its lock, or a handler.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/progress/current_waits.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "conduits/core/progress/wait_observer.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/core/wait/network_bell.hpp"
#include "conduits/core/wait/soft_affinity.hpp"

namespace upcr {

// How the threads of a job wait. `all_ring`: no message comes from beyond this host.
struct WaitPolicy {
  bool network = false;
  bool cpus_to_spare = false;
  bool all_ring = false;
  bool network_bell = false;   // the network bell runs
  bool processes_fit = false;  // each process of this machine can have a CPU, whether each thread can or not
  bool poll_yields = false;    // Caps::poll_yields
  std::uint32_t threads_per_cpu = 1;
};

// A process's progress engine; one for each job that it is in. Any thread.
class ProgressEngine {
 public:
  ProgressEngine() = default;
  ProgressEngine(const ProgressEngine&) = delete;
  ProgressEngine& operator=(const ProgressEngine&) = delete;

  // At attach, before any other function. Both outlive this object.
  void attach(AmEngine& engine, const Doorbells& doorbells) noexcept;
  void set_policy(const WaitPolicy& policy) noexcept { policy_ = policy; }
  // Rings when something arrives from a network with a wait_fd; WaitPolicy::network_bell: it runs.
  NetworkBell& network_bell() noexcept { return network_bell_; }
  SoftAffinity& affinity() noexcept { return affinity_; }

  // Polls the conduit; while there is work (progress_work.hpp) runs the hooks. Returns the number of packets
  // plus the results of the hooks: not 0 when polling again soon is worth it.
  unsigned poll();

  // A progress hook advances operations when polled, while there is work. It returns the number of operations
  // that it has advanced, if polling again soon is worth it. Added at attach, never removed.
  enum class HookKind : bool {
    kMayWait,     // runs in poll() alone
    kNeverWaits,  // sends by AmEngine::try_request() and Rma::try_put() alone, so it runs also while a
                  // request of this thread, which another hook may have sent, finds no room
  };
  void add_hook(unsigned (*hook)(void* context), void* context, HookKind kind = HookKind::kMayWait);
  ProgressWork& work() noexcept { return work_; }

  // False: waiting threads yield their CPU at once instead of spinning first.
  void set_spin_wait(bool spins) noexcept { may_spin_.store(spins, std::memory_order_relaxed); }

  // Called for a wait that has lasted for UPCR_STALL_WARN seconds, once. True: it is reported, so that the
  // waiting thread prints no warning.
  void on_stall(bool (*reports)(std::int64_t seconds)) noexcept { stall_reported_ = reports; }

  // Polls until ready() is true. `slot`: the calling thread's. The thread that makes the condition true rings
  // its doorbell, unless it is a handler run by this process's own poll.
  template <typename Ready>
  void wait_until(Slot slot, WaitReason reason, Ready&& ready);

 private:
  friend class Waiter;
  struct Hook {
    unsigned (*run)(void*);
    void* context;
    HookKind kind;
  };
  static constexpr int kMaxHooks = 8;
  unsigned run_hooks();
  unsigned wait_for_room(std::uint32_t idle);

  AmEngine* engine_ = nullptr;
  const Doorbells* doorbells_ = nullptr;
  WaitPolicy policy_;
  std::atomic<bool> may_spin_{true};
  bool (*stall_reported_)(std::int64_t seconds) = nullptr;
  std::atomic<int> hook_count_{0};  // written after the hook: another thread may be in poll()
  Hook hooks_[kMaxHooks];
  NetworkBell network_bell_;
  SoftAffinity affinity_;
  ProgressWork work_;
};

// The slow part of wait_until(): decides between spinning, yielding and sleeping. One for each wait.
class Waiter {
 public:
  Waiter(ProgressEngine& progress, Slot my_slot, WaitReason reason) noexcept
      : progress_(&progress), slot_(my_slot), what_(reason.what), detail_(reason.detail) {}
  // After the condition was found false. False: test it again. True: call sleep().
  bool pause() noexcept;
  // A poll received packets: more are likely, so poll again for a while.
  void busy() noexcept {
    if (armed_) disarm();
    tries_ = yields_ = 0;
    spurious_wakeup_ = false;
  }
  // For a thread that serves in the background. Over a network without a wait_fd it naps for a millisecond,
  // or for up to 8 when it has been idle for long. It is not rung for messages that threads in the foreground
  // receive themselves; over a network with a wait_fd at most once a millisecond.
  void set_background() noexcept { background_ = true; }
  // The condition was true: adapts the spin limit to the time that it took.
  void success() noexcept;
  template <typename Ready>
  void sleep(Ready&& ready) {
    if (!armed_) arm();
    if (!ready()) return sleep_armed();
    disarm();
    woke();
  }
  // The same in two calls, between which the caller tests its condition: sleep_armed() if it is false,
  // disarm() if it is true. Armed after sleep_armed(): the thread was not rung, and would sleep again,
  // without another arm(). busy() and success() disarm.
  void arm() noexcept;
  bool armed() const noexcept { return armed_; }
  void sleep_armed() noexcept;
  void disarm() noexcept;
  // After a sleep. Rung: test the condition for a while; not rung: test it once, then sleep again.
  void slept(bool rung) noexcept;

 private:
  std::uint32_t spins() noexcept;
  bool uses_doorbell() const noexcept;
  bool yields_early() const noexcept;
  bool pause_on_network() noexcept;
  bool nap() noexcept;
  void is_long() noexcept;
  bool sleep_until_rung() noexcept;
  void woke() noexcept;
  Doorbell& doorbell() const noexcept { return progress_->doorbells_->of(slot_); }
  const WaitPolicy& policy() const noexcept { return progress_->policy_; }
  bool may_spin() const noexcept { return progress_->may_spin_.load(std::memory_order_relaxed); }

  static constexpr std::uint32_t kNoMoreSpins = ~0u;
  ProgressEngine* progress_;
  Slot slot_;
  std::uint32_t epoch_ = 0;
  const char* what_;
  std::uint64_t detail_;
  std::uint64_t since_ns_ = 0;       // of a wait without a WaitRecord
  std::uint64_t idle_since_ns_ = 0;  // when yields_ was 0
  std::uint32_t tries_ = 0;
  std::uint32_t yields_ = 0;  // since it was last busy, as tries_
  std::uint32_t nap_us_ = 0;  // the last one since then
  bool warned_ : 1 = false;
  bool armed_ : 1 = false;
  bool background_ : 1 = false;
  bool long_ : 1 = false;             // the measurement has been told (wait_observer.hpp)
  bool spurious_wakeup_ : 1 = false;  // there was no work when it was last rung
};

template <typename Ready>
void ProgressEngine::wait_until(Slot slot, WaitReason reason, Ready&& ready) {
  if (ready()) return;
  const ObservedWait observed;
  const WaitRecord record(slot, reason);
  Waiter waiter(*this, slot, reason);
  for (;;) {
    const bool took = poll() != 0;
    if (ready()) break;
    if (took) {
      waiter.busy();
      continue;
    }
    if (waiter.pause()) waiter.sleep(ready);
    if (ready()) break;
  }
  waiter.success();
}

}  // namespace upcr
