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
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/job/job.hpp"

namespace upcr {

// Polls the conduit; where there is work (progress_work.hpp) runs the hooks below. Returns how many packets
// were taken and what the hooks return: not 0 when looking again soon is worth it.
UPCR_MODULE_API unsigned make_progress();

// Something that moves on when polled, while there is work. Returns how much of it moved, where looking again
// soon is worth it. Added at attach, never removed.
void add_progress_hook(unsigned (*hook)(void* context), void* context);

// What a wait is for, in words: the watchdog prints it after UPCR_STALL_WARN seconds.
struct WaitReason {
  const char* what;  // "barrier", "lock", "put", ...
  std::uint64_t detail = 0;
};

// How the threads of a job wait. `all_ring`: no message comes from beyond this host.
struct WaitPolicy {
  bool network = false;
  bool cpus_to_spare = false;
  bool all_ring = false;
  bool bell = false;           // network_bell.hpp runs
  bool processes_fit = false;  // each process of this machine can have a CPU, whether each thread can or not
  bool poll_yields = false;    // Caps::poll_yields
};
void set_wait_policy(const WaitPolicy& way) noexcept;

// The slow part of wait_until: decides between spinning, yielding and sleeping. One per wait.
class UPCR_MODULE_API Waiter {
 public:
  Waiter(Slot my_slot, WaitReason reason) noexcept : slot_(my_slot), reason_(reason) {}
  // After a failed look at the condition. False: look again. True: sleep() is due.
  bool pause() noexcept;
  // A poll received packets: more are likely, so poll again for a while.
  void busy() noexcept {
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
    arm();
    if (!ready()) return sleep_armed();
    disarm();
    woke();
  }
  // The same in two calls, between which the caller tests its condition: sleep_armed() if it is false,
  // disarm() if it is true.
  void arm() noexcept;
  bool armed() const noexcept { return armed_; }
  void sleep_armed() noexcept;
  void disarm() noexcept;
  // After a sleep. Rung: test the condition for a while; not rung: test it once, then sleep again.
  void slept(bool rung) noexcept;

 private:
  std::uint32_t spins() noexcept;
  bool uses_doorbell() const noexcept;
  bool yield_early() const noexcept;
  bool pause_on_network() noexcept;
  bool nap() noexcept;
  bool sleep_until_rung() noexcept;
  void woke() noexcept;

  Slot slot_;
  WaitReason reason_;
  static constexpr std::uint32_t kNoMoreSpins = ~0u;
  std::uint32_t tries_ = 0;
  std::uint32_t yields_ = 0;  // since it was last busy, as tries_
  std::uint32_t nap_us_ = 0;  // the last one since then
  std::uint64_t since_ns_ = 0;
  std::uint64_t idle_since_ns_ = 0;  // when yields_ was 0
  bool warned_ = false;
  bool armed_ = false;
  bool background_ = false;
  bool spurious_wakeup_ = false;  // nothing was there when it was last rung
  std::uint32_t epoch_ = 0;
};

// Waiting threads of this process give their CPU away at once instead of spinning for a moment first.
UPCR_MODULE_API void set_spin_wait(bool spins) noexcept;

// Polls until `ready()` holds. `slot`: the calling thread's (its doorbell is where whoever makes the
// condition true must ring, unless that is a handler run by this process's own poll).
template <typename Ready>
void wait_until(Slot slot, WaitReason reason, Ready&& ready) {
  if (ready()) return;
  Waiter waiter(slot, reason);
  for (;;) {
    const bool took = make_progress() != 0;
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
