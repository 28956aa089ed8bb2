// SPDX-License-Identifier: BSD-3-Clause
// The list of a thread's non-blocking collectives. See nonblocking.hpp.
#include "upcr/coll/api/nonblocking.hpp"

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {
namespace {

// A step may itself wait, for a fragment of a message, and poll: `stepping` prevents the recursion.
void step_all(Member& m) {
  if (m.operations == nullptr || m.stepping) return;
  m.stepping = true;
  for (Operation* op = m.operations; op != nullptr; op = op->next)
    while (!op->waited && !op->task.done() && op->call.resume_if_ready()) {
    }
  m.stepping = false;
}

unsigned hook(void*) {
  const ThreadCtx* const c = ctx_or_null();
  if (c != nullptr) step_all(*c->coll);
  return 0;
}

}  // namespace

void register_nonblocking() { job().progress.add_hook(hook, nullptr); }

Operation* start(ThreadCtx& c, Operation* op, Task task) {
  Member& m = member(c);
  op->task = std::move(task);
  op->task.start();
  Operation** at = &m.operations;
  while (*at != nullptr) at = &(*at)->next;
  *at = op;
  job().progress.work().begin();
  return op;
}

void finish(ThreadCtx& c, Operation* op) {
  Member& m = member(c);
  Operation** at = &m.operations;
  while (*at != nullptr && *at != op) at = &(*at)->next;
  if (*at == nullptr)
    fatal(
        "bupc_coll_wait: %p is not the handle of a collective that UPC thread %u has started and not waited "
        "for",
        static_cast<void*>(op), c.thread);
  op->waited = true;
  op->call.complete(op->task);
  for (at = &m.operations; *at != op;) at = &(*at)->next;  // the list may have changed meanwhile
  *at = op->next;
  job().progress.work().end();
  delete op;
}

void report_unfinished(ThreadCtx& c) {
#if UPCR_DEBUG
  for (const Operation* op = member(c).operations; op != nullptr; op = op->next)
    warn("UPC thread %u ends without bupc_coll_wait() for a %s", c.thread, op->call.function());
#else
  (void)c;
#endif
}

}  // namespace upcr::coll
