// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking collectives: their thread advances them whenever it waits, polls or calls bupc_coll_wait(), so
// threads may wait for them in different orders. UPC threads, not in a handler.
#pragma once
#include "upcr/coll/call/call.hpp"
#include "upcr/coll/move/move.hpp"

namespace upcr::coll {

struct Operation {
  Operation(ThreadCtx& c, Team& team, const char* function, int flags)
      : call(c, team, function, flags, Call::Nonblocking{}) {}
  Call call;
  Task task;
  bool waited = false;  // bupc_coll_wait() advances it
  Operation* next = nullptr;
};

// Runs the task until it has to wait. The thread's list owns the operation.
Operation* start(ThreadCtx& c, Operation* op, Task task);
// Blocks until the operation is complete, and frees it.
void finish(ThreadCtx& c, Operation* op);
// At the end of the program: debug warns of operations that the program did not wait for.
void report_unfinished(ThreadCtx& c);
// Once a process, before any UPC thread starts.
void register_nonblocking();

}  // namespace upcr::coll
