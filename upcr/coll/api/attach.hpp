// SPDX-License-Identifier: BSD-3-Clause
// Start and end of collectives, for start-up and exit code.
#pragma once

namespace upcr {
struct Job;
struct ThreadCtx;
}  // namespace upcr

namespace upcr::coll {

// plan() is called with AttachOptions::plan, attach() once a process, when its ThreadCtx's exist and before
// any UPC thread makes a call.
void plan(Job& job);
void attach(Job& job);
// The calling thread's program has ended: threads that wait for it in a collective report an error.
void thread_end(ThreadCtx& c);

}  // namespace upcr::coll
