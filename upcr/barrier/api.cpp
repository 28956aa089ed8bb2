// SPDX-License-Identifier: BSD-3-Clause
// upcr_notify, upcr_wait, upcr_try_wait, upcr_barrier: the state machine of each thread and the errors, over
// core's barrier.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdio>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/barrier.h"
#include "include/upcr/gmem_barrier.h"
#include "include/upcr/layout.h"
#include "upcr/barrier/check.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

const ConfigVar kVars[] = {
    {"UPC_BARRIER_MISMATCH_WARNS", ConfigType::kBool, "no", "a barrier mismatch is a warning, not an error"},
};
ConfigTable table("barrier", kVars);

bool mismatch_warns() {
  static const bool warns = config_bool("UPC_BARRIER_MISMATCH_WARNS");
  return warns;
}

BarrierValue value_of(int value, int flags) {
  if (flags & UPCR_BARRIERFLAG_UNNAMED) return {BarrierKind::kUnnamed, 0};
  if (flags & UPCR_BARRIERFLAG_ANONYMOUS) return {BarrierKind::kAnonymous, 0};
  return {BarrierKind::kNamed, value};
}

bool compatible(BarrierValue a, BarrierValue b) {
  if ((a.kind == BarrierKind::kUnnamed) != (b.kind == BarrierKind::kUnnamed)) return false;
  return a.kind != BarrierKind::kNamed || b.kind != BarrierKind::kNamed || a.value == b.value;
}

struct BarrierText {
  char text[48];
};
BarrierText describe(BarrierValue v) {
  BarrierText w;
  switch (v.kind) {
    case BarrierKind::kNamed:
      std::snprintf(w.text, sizeof w.text, "barrier %d", v.value);
      break;
    case BarrierKind::kAnonymous:
      std::snprintf(w.text, sizeof w.text, "an anonymous barrier");
      break;
    case BarrierKind::kUnnamed:
      std::snprintf(w.text, sizeof w.text, "an unnamed barrier");
      break;
    case BarrierKind::kCollective:
      std::snprintf(w.text, sizeof w.text, "a collective call");
      break;
    case BarrierKind::kExit:
      std::snprintf(w.text, sizeof w.text, "the end of the program");
      break;
  }
  return w;
}

// Orders all accesses of this thread before it before all accesses after it, as seen by all threads. Blocking
// accesses are complete when they return, so only the CPU's reordering must be prevented, and of that only a
// load that passes an earlier store: notify's release store and wait's acquire loads prevent the rest. So a
// notify ends with a fence, and so does a wait; for a barrier, in which the program accesses nothing, the
// second one is enough.
//
// A barrier that every thread has entered by upcr_barrier (BarrierResult::whole) needs none. Then each access
// of the program is before the barrier on its thread (A) or after it (B), and every A of any thread happens
// before every B of any thread: on the same thread by program order, else because one thread stored its word
// with release after its A, and the other read it with acquire before its B. That a load passed an earlier
// store is visible only if a cycle leads from the load back to the store: the load did not see some store,
// which another thread did before something else, and so on, up to an access that did not see our store. That
// cycle begins with a B and ends with an A, so somewhere in it a B precedes an A: not by program order, and
// not because both access one location and the A reads what the B wrote, overwrites it, or is not seen by it,
// since coherence agrees with happens-before. So there is no such cycle: cycles stay among the A or among the
// B, where this fence does not stand. The argument does not depend on x86; it also holds for seq_cst
// operations and fences in A and B, whose total order has all of A before all of B.
//   Nonblocking operations  An operation in flight during the barrier is ordered only after its start and
//                           before its sync. In such a cycle it would order a B before an A at one location,
//                           as above; and what follows its sync during or after the barrier is a B.
//   notify, wait            One thread that continues after its notify breaks the argument: it stores y and
//                           reads x, while we store x, pass the barrier and read y. Its accesses are neither
//                           A nor B, and both may read the old values: hence the condition.
//   others                  Threads that are not UPC threads do not take part in the barrier, which orders
//                           nothing for them.
void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

ThreadCtx& caller(const char* function) {
#if UPCR_DEBUG
  upcri_check_thread(function);
#endif
  return ctx(function);
}

void arrive(ThreadCtx& c, int value, int flags, Arrival arrival) {
  c.notified = true;
  c.notify_value = value;
  c.notify_flags = flags;
  upcr_barrier_active = true;
  upcr_barrier_id = flags == 0 ? value : INT_MIN;
  job().barrier.notify(c.thread, value_of(value, flags), arrival);
}

// This thread has completed the phase.
void leave(ThreadCtx& c, const BarrierResult& result) {
  c.notified = false;
  upcr_barrier_active = false;
  ++c.barriers;
  if (__builtin_expect(result.mismatch, 0)) check_barrier(c, result);
  if (!result.all_blocking) fence();
}

// `value` and `flags` of upcr_wait must be those of the thread's upcr_notify.
void check_own(ThreadCtx& c, int value, int flags) {
  const BarrierValue notified = value_of(c.notify_value, c.notify_flags), awaited = value_of(value, flags);
  if (compatible(notified, awaited)) return;
  const char* const text = "barrier mismatch detected by thread %u: it notified %s, but waits for %s";
  if (!mismatch_warns()) fatal(text, c.thread, describe(notified).text, describe(awaited).text);
  warn(text, c.thread, describe(notified).text, describe(awaited).text);
}

// Gives the thread that reports the error time to do so; the job ends meanwhile.
void wait_for_job_end() {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < deadline) {
    job().progress.poll();
    usleep(1000);
  }
}

}  // namespace

void check_barrier(ThreadCtx& c, const BarrierResult& r) {
  if (!r.mismatch) return;
  // A thread in a barrier of the program reports more about the error than one that has ended.
  const bool first_ended = r.first.kind == BarrierKind::kExit,
             second_ended = r.second.kind == BarrierKind::kExit;
  const Slot reporter = first_ended ? r.second_thread : r.first_thread;
  if (first_ended || second_ended) {
    if (c.thread != reporter) wait_for_job_end();
    fatal(
        "thread %u has ended its program while thread %u waits in %s; all threads must pass the same "
        "barriers",
        first_ended ? r.first_thread : r.second_thread, reporter,
        describe(first_ended ? r.second : r.first).text);
  }
  const bool in_collective =
      r.first.kind == BarrierKind::kCollective || r.second.kind == BarrierKind::kCollective;
  const bool warns = mismatch_warns() && !in_collective;
  if (warns && c.thread != reporter) return;
  const char* const text = "barrier mismatch detected by thread %u: thread %u is in %s, thread %u in %s";
  const BarrierText first = describe(r.first), second = describe(r.second);
  if (warns) return warn(text, c.thread, r.first_thread, first.text, r.second_thread, second.text);
  if (c.thread != reporter) wait_for_job_end();
  fatal(text, c.thread, r.first_thread, first.text, r.second_thread, second.text);
}

extern "C" {

UPCRI_API __thread bool upcr_barrier_active = false;
UPCRI_API __thread long int upcr_barrier_id = 0;

UPCRI_API void upcr_notify(int barrierval, int flags) {
  const observe::Span span(observe::Kind::kNotify);
  ThreadCtx& c = caller("upcr_notify");
  if (c.notified)
    fatal("misordered call to barrier notify: %s was notified already and not waited for",
          describe(value_of(c.notify_value, c.notify_flags)).text);
  arrive(c, barrierval, flags, Arrival::kSplit);
  fence();
}

UPCRI_API void upcr_wait(int barrierval, int flags) {
  const observe::Span span(observe::Kind::kBarrier);
  ThreadCtx& c = caller("upcr_wait");
  if (!c.notified) fatal("misordered call to barrier wait: no notify came before");
  const BarrierResult result = job().barrier.wait(c.thread);
  check_own(c, barrierval, flags);
  leave(c, result);
}

UPCRI_API int upcr_try_wait(int barrierval, int flags) {
  ThreadCtx& c = caller("upcr_try_wait");
  if (!c.notified) fatal("misordered call to barrier try_wait: no notify came before");
  BarrierResult result;
  job().progress.poll();
  if (!job().barrier.try_wait(c.thread, &result)) return 0;
  const observe::Span span(observe::Kind::kBarrier);
  check_own(c, barrierval, flags);
  leave(c, result);
  return 1;
}

UPCRI_API void upcr_barrier(int barrierval, int flags) {
  const observe::Span span(observe::Kind::kBarrier);
  ThreadCtx& c = caller("upcr_barrier");
  if (c.notified)
    fatal("misordered call to barrier: %s was notified already and not waited for",
          describe(value_of(c.notify_value, c.notify_flags)).text);
  arrive(c, barrierval, flags, Arrival::kBlocking);
  leave(c, job().barrier.wait(c.thread));
}

}  // extern "C"
}  // namespace upcr
