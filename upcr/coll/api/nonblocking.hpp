// SPDX-License-Identifier: BSD-3-Clause
// Collectives that go on while their thread does something else: it moves them on whenever it waits, polls or
// calls bupc_coll_wait(), so they may be started and waited for in different orders by different threads.
// UPC threads, not in a handler.
#pragma once
#include "upcr/coll/call/call.hpp"
#include "upcr/coll/move/move.hpp"

namespace upcr::coll {

struct Operation {
  Operation(ThreadCtx& c, Team& team, const char* function, int flags)
      : call(c, team, function, flags, Call::Nonblocking{}) {}
  Call call;
  Task task;
  bool waited = false;  // bupc_coll_wait() moves it on
  Operation* next = nullptr;
};

// Runs it until it has to wait. Owned by the thread's list.
Operation* start(ThreadCtx& c, Operation* op, Task task);
// Blocking; the operation is gone afterwards.
void finish(ThreadCtx& c, Operation* op);
// At the end of the program: debug warns of operations that nobody waited for.
void report_unfinished(ThreadCtx& c);
// Once a process, before any UPC thread starts.
void register_nonblocking();

}  // namespace upcr::coll
