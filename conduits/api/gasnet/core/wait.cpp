// SPDX-License-Identifier: BSD-3-Clause
// Polling and GASNET_BLOCKUNTIL. The condition is the client's expression, so the wait consists of steps
// between which the macro evaluates it. All threads of a node share the node's doorbell.
#include <cstddef>
#include <new>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/polling.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr::gasnet {
namespace {

static_assert(sizeof(Waiter) <= sizeof(gasneti_wait_t) && alignof(Waiter) <= alignof(gasneti_wait_t));
static_assert(std::is_trivially_destructible_v<Waiter>);

Waiter& waiter(gasneti_wait_t* wait) { return *reinterpret_cast<Waiter*>(wait); }

constexpr WaitReason kReason{"a condition (GASNET_BLOCKUNTIL)"};

// The calling thread's record of a GASNET_BLOCKUNTIL that is idle, for reports of hangs: shorter ones pay
// nothing for it. Other waits, in the condition, nest in it.
struct IdleRecord {
  alignas(WaitRecord) std::byte record[sizeof(WaitRecord)];
  bool made;

  void make() {
    if (made) return;
    new (record) WaitRecord(my_slot(), kReason);
    made = true;
    note_idle_wait(ticks_now());
  }
  void end() {
    if (made) std::launder(reinterpret_cast<WaitRecord*>(record))->~WaitRecord();
    made = false;
  }
};
constinit thread_local IdleRecord idle_record __attribute__((tls_model("initial-exec"))) = {};

}  // namespace

void poll_with_yield() {
  static thread_local unsigned idle = 0;
  constexpr unsigned kPatience = 64;
  if (job().progress.poll() != 0)
    idle = 0;
  else if (++idle % kPatience == 0 && job().oversubscribed)
    sched_yield();
}

extern "C" {

GASNETI_API int gasnet_AMPoll(void) {
  check_attached("gasnet_AMPoll");
  check_free_thread("gasnet_AMPoll");
  poll_with_yield();
  return GASNET_OK;
}

GASNETI_API void gasneti_wait_begin(gasneti_wait_t* wait) {
  check_attached("GASNET_BLOCKUNTIL");
  check_free_thread("GASNET_BLOCKUNTIL");
  new (wait) Waiter(job().progress, my_slot(), kReason);
}

GASNETI_API void gasneti_wait_step(gasneti_wait_t* wait) {
  Waiter& w = waiter(wait);
  if (w.armed())
    w.sleep_armed();
  else if (job().progress.poll() != 0)
    w.busy();
  else if (w.pause())
    idle_record.make(), w.arm();
}

GASNETI_API void gasneti_wait_end(gasneti_wait_t* wait) {
  Waiter& w = waiter(wait);
  if (w.armed()) w.disarm();
  w.success();
  idle_record.end();
}

GASNETI_API gasnet_threadinfo_t gasneti_threadinfo(void) {
  static thread_local char here;
  return &here;
}

}  // extern "C"

}  // namespace upcr::gasnet
