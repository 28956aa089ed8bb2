// SPDX-License-Identifier: BSD-3-Clause
// Fence and poll, distance and castability of threads.
#include "include/upcr/misc.h"

#include <sched.h>

#include <atomic>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/layout.h"
#include "include/upcr/sptr.h"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

void check_caller(const char* function) {
#if UPCR_DEBUG
  upcri_check_thread(function);
#endif
}

// Yields, because a loop that polls for another thread's write would keep that thread from running.
void poll_and_yield() {
  if (job().progress.poll() == 0 && job().oversubscribed) sched_yield();
}

Slot checked_thread(int thread, const char* function) {
#if UPCR_DEBUG
  if (thread < 0 || static_cast<Slot>(thread) >= job().topology.slots())
    fatal("%s: there is no UPC thread %d; threads are 0 to %u", function, thread, job().topology.slots() - 1);
#endif
  return static_cast<Slot>(thread);
}

}  // namespace
extern "C" {

UPCRI_API void upcr_poll(void) {
  check_caller("upcr_poll");
  std::atomic_thread_fence(std::memory_order_seq_cst);
  poll_and_yield();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

UPCRI_API void upcr_poll_nofence(void) {
  check_caller("upcr_poll_nofence");
  poll_and_yield();
}

UPCRI_API unsigned int bupc_thread_distance(int x, int y) {
  const Topology& t = job().topology;
  const Slot a = checked_thread(x, "bupc_thread_distance"), b = checked_thread(y, "bupc_thread_distance");
  if (a == b) return BUPC_THREADS_SAME;
  const Rank ra = t.rank_of[a], rb = t.rank_of[b];
  if (ra == rb) return BUPC_THREADS_VERYNEAR;
  const ProcessInfo& na = runtime().processes[ra];
  const ProcessInfo& nb = runtime().processes[rb];
  if (na.window_group_first == nb.window_group_first) return BUPC_THREADS_NEAR;
  return na.host == nb.host ? BUPC_THREADS_FAR : BUPC_THREADS_VERYFAR;
}

UPCRI_API int bupc_castable(upcr_shared_ptr_t ptr) {
  return upcr_isnull_shared(ptr) || upcr_cast(ptr) != nullptr;
}

UPCRI_API int bupc_thread_castable(unsigned int thread) {
  return job().segments.mapped[checked_thread(static_cast<int>(thread), "bupc_thread_castable")] != 0;
}

UPCRI_API void* bupc_cast(upcr_shared_ptr_t ptr) { return upcr_cast(ptr); }

}  // extern "C"
}  // namespace upcr
