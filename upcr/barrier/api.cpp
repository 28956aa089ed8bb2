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
#include "conduits/core/base/report/report.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/barrier.h"
#include "include/upcr/gmem_barrier.h"
#include "include/upcr/layout.h"
#include "upcr/barrier/check.hpp"
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

bool agree(BarrierValue a, BarrierValue b) {
  if ((a.kind == BarrierKind::kUnnamed) != (b.kind == BarrierKind::kUnnamed)) return false;
  return a.kind != BarrierKind::kNamed || b.kind != BarrierKind::kNamed || a.value == b.value;
}

struct Words {
  char text[48];
};
Words describe(BarrierValue v) {
  Words w;
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

// Everything this thread did before comes before everything it does after, for all threads. Blocking
// accesses are complete when they return, so the CPU's own reordering is all there is to stop. What must not
// pass is a later load in front of an earlier store: the rest is kept by notify's release store and wait's
// acquire loads. So a notify ends with a fence, and a wait; a barrier, in which nothing else can be accessed,
// does with the second one.
//
// It does without that one, too, where every thread came by upcr_barrier (BarrierResult::whole). Then each
// access of the program is before the barrier on its thread (A) or after it (B), none is in between, and
// every A of any thread happens before every B of any thread: on the same thread by program order, else
// because the one stored its word with release after its A, and the other read it with acquire before its B.
// A load that passes an earlier store shows only if a chain leads back from the load to the store: the load
// missed some store, which another thread did before something else, and so on, up to an access that missed
// our store. That chain begins with a B and ends with an A, so somewhere in it a B comes before an A: not by
// program order, and not because both are at one place and the A read what the B wrote, overwrote it, or was
// missed by it, since accesses to one place agree with what happens before what. So there is none: chains
// stay among the A or among the B, where this fence does not stand. The argument uses nothing of x86; it also
// holds for seq_cst operations and fences in A and B, whose one order has all of A before all of B.
//   Nonblocking operations  what is under way during the barrier comes after nothing but its start and before
//                           nothing but its sync. As a link in such a chain it would tie a B to an A at one
//                           place, as before; and what follows its sync during or after the barrier is a B.
//   notify, wait            one thread that goes on after its notify is enough to break it: it stores y and
//                           reads x, while we store x, pass the barrier and read y. Its accesses are neither
//                           A nor B, and both may read what was there before: hence the condition.
//   others                  threads that are none of UPC's take no part in the barrier, and it orders nothing
//                           for them.
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
  barrier_notify(c.thread, value_of(value, flags), arrival);
}

// The phase is over for this thread.
void leave(ThreadCtx& c, const BarrierResult& result) {
  c.notified = false;
  upcr_barrier_active = false;
  ++c.barriers;
  if (__builtin_expect(result.mismatch, 0)) check_barrier(c, result);
  if (!result.whole) fence();
}

// `value`, `flags` are what it waits for, which must be what it notified.
void check_own(ThreadCtx& c, int value, int flags) {
  const BarrierValue said = value_of(c.notify_value, c.notify_flags), meant = value_of(value, flags);
  if (agree(said, meant)) return;
  const char* const text = "barrier mismatch detected by thread %u: it notified %s, but waits for %s";
  if (!mismatch_warns()) fatal(text, c.thread, describe(said).text, describe(meant).text);
  warn(text, c.thread, describe(said).text, describe(meant).text);
}

// Gives the thread that speaks time to do so; the job ends meanwhile.
void await_the_end() {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < deadline) {
    make_progress();
    usleep(1000);
  }
}

}  // namespace

void check_barrier(ThreadCtx& c, const BarrierResult& r) {
  if (!r.mismatch) return;
  // Who is in a barrier of the program can say more than who has left it.
  const bool first_ended = r.first.kind == BarrierKind::kExit,
             second_ended = r.second.kind == BarrierKind::kExit;
  const Slot reporter = first_ended ? r.second_thread : r.first_thread;
  if (first_ended || second_ended) {
    if (c.thread != reporter) await_the_end();
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
  const Words first = describe(r.first), second = describe(r.second);
  if (warns) return warn(text, c.thread, r.first_thread, first.text, r.second_thread, second.text);
  if (c.thread != reporter) await_the_end();
  fatal(text, c.thread, r.first_thread, first.text, r.second_thread, second.text);
}

}  // namespace upcr

using namespace upcr;

extern "C" {

__thread bool upcr_barrier_active = false;
__thread long int upcr_barrier_id = 0;

void upcr_notify(int barrierval, int flags) {
  ThreadCtx& c = caller("upcr_notify");
  if (c.notified)
    fatal("misordered call to barrier notify: %s was notified already and not waited for",
          describe(value_of(c.notify_value, c.notify_flags)).text);
  arrive(c, barrierval, flags, Arrival::kSplit);
  fence();
}

void upcr_wait(int barrierval, int flags) {
  ThreadCtx& c = caller("upcr_wait");
  if (!c.notified) fatal("misordered call to barrier wait: no notify came before");
  const BarrierResult result = barrier_wait(c.thread);
  check_own(c, barrierval, flags);
  leave(c, result);
}

int upcr_try_wait(int barrierval, int flags) {
  ThreadCtx& c = caller("upcr_try_wait");
  if (!c.notified) fatal("misordered call to barrier try_wait: no notify came before");
  BarrierResult result;
  make_progress();
  if (!barrier_try(c.thread, &result)) return 0;
  check_own(c, barrierval, flags);
  leave(c, result);
  return 1;
}

void upcr_barrier(int barrierval, int flags) {
  ThreadCtx& c = caller("upcr_barrier");
  if (c.notified)
    fatal("misordered call to barrier: %s was notified already and not waited for",
          describe(value_of(c.notify_value, c.notify_flags)).text);
  arrive(c, barrierval, flags, Arrival::kBlocking);
  leave(c, barrier_wait(c.thread));
}

}  // extern "C"
