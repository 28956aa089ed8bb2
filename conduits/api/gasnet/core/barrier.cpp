// SPDX-License-Identifier: BSD-3-Clause
// Barriers: core's, with GASNet's rules. A node's value at notify decides; its value at wait is compared with
// the result on the node. A forced mismatch is core's kExit, which matches nothing but itself.
#include "conduits/core/barrier/barrier.hpp"

#include <atomic>

#include "conduits/api/gasnet/core/barrier_state.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/polling.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"
#include "include/gasnet/barrier.h"

namespace upcr::gasnet {
namespace {

// By the specification one thread at a time uses it.
struct Phase {
  bool open = false;
  BarrierResult last{};  // of the last phase that is complete
} phase;

// For reports, which other threads make.
struct Progress {
  std::atomic<std::uint64_t> completed{0};
  std::atomic<bool> notified{false}, named{false};
  std::atomic<int> id{0};
} progress_of_node;

void note_notify(int id, int flags) noexcept {
  Progress& p = progress_of_node;
  p.id.store(id, std::memory_order_relaxed);
  p.named.store((flags & (GASNET_BARRIERFLAG_ANONYMOUS | GASNET_BARRIERFLAG_MISMATCH)) == 0,
                std::memory_order_relaxed);
  p.notified.store(true, std::memory_order_relaxed);
}
void note_completion() noexcept {
  Progress& p = progress_of_node;
  p.notified.store(false, std::memory_order_relaxed);
  p.completed.store(p.completed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

BarrierValue value_of(int id, int flags) {
  if ((flags & GASNET_BARRIERFLAG_MISMATCH) != 0) return {BarrierKind::kExit, 0};
  if ((flags & GASNET_BARRIERFLAG_ANONYMOUS) != 0) return {BarrierKind::kAnonymous, 0};
  return {BarrierKind::kNamed, id};
}

bool mismatch(const BarrierResult& r) { return r.mismatch || r.first.kind == BarrierKind::kExit; }

int outcome(const BarrierResult& result, int id, int flags) {
  phase.open = false;
  phase.last = result;
  note_completion();
  const bool named = (flags & (GASNET_BARRIERFLAG_ANONYMOUS | GASNET_BARRIERFLAG_MISMATCH)) == 0;
  const bool other_name = named && result.first.kind == BarrierKind::kNamed && result.first.value != id;
  if (mismatch(result) || other_name || (flags & GASNET_BARRIERFLAG_MISMATCH) != 0)
    return GASNET_ERR_BARRIER_MISMATCH;
  return GASNET_OK;
}

void require_open(const char* function) {
  if (!phase.open) fatal("%s called without gasnet_barrier_notify()", function);
}
void require_closed(const char* function) {
  if (phase.open) fatal("%s called between gasnet_barrier_notify() and gasnet_barrier_wait()", function);
}

}  // namespace

BarrierState barrier_state() noexcept {
  const Progress& p = progress_of_node;
  return {p.completed.load(std::memory_order_relaxed), p.notified.load(std::memory_order_relaxed),
          p.named.load(std::memory_order_relaxed), p.id.load(std::memory_order_relaxed)};
}

extern "C" {

GASNETI_API void gasnet_barrier_notify(int id, int flags) {
  check_attached("gasnet_barrier_notify");
  check_free_thread("gasnet_barrier_notify");
  const Traced traced(Event::kBarrierNotify);
  if (phase.open) fatal("gasnet_barrier_notify called twice without gasnet_barrier_wait()");
  phase.open = true;
  note_notify(id, flags);
  job().barrier.notify(my_slot(), value_of(id, flags));
}

GASNETI_API int gasnet_barrier_wait(int id, int flags) {
  check_free_thread("gasnet_barrier_wait");
  require_open("gasnet_barrier_wait");
  const Traced traced(Event::kBarrierWait);
  return outcome(job().barrier.wait(my_slot()), id, flags);
}

GASNETI_API int gasnet_barrier_try(int id, int flags) {
  check_free_thread("gasnet_barrier_try");
  require_open("gasnet_barrier_try");
  const Traced traced(Event::kBarrierTry);
  BarrierResult result;
  if (job().barrier.try_wait(my_slot(), &result)) return outcome(result, id, flags);
  poll_with_yield();
  return GASNET_ERR_NOT_READY;
}

GASNETI_API int gasnet_barrier(int id, int flags) {
  require_closed("gasnet_barrier");
  gasnet_barrier_notify(id, flags);
  return gasnet_barrier_wait(id, flags);
}

GASNETI_API int gasnet_barrier_result(int* id) {
  require_closed("gasnet_barrier_result");
  if (mismatch(phase.last) || phase.last.first.kind != BarrierKind::kNamed) return 1;
  *id = phase.last.first.value;
  return 0;
}

}  // extern "C"

}  // namespace upcr::gasnet
