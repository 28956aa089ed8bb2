// SPDX-License-Identifier: BSD-3-Clause
// Start and end of collectives, for start-up and exit code.
#pragma once

namespace upcr {
struct Job;
struct ThreadCtx;
}  // namespace upcr

namespace upcr::coll {

// Where AttachOptions::plan is called; then once a process, when its ThreadCtx's exist, before any UPC thread
// makes a call.
void plan(Job& job);
void attach(Job& job);
// The calling thread's program is over: who waits for it in a collective gets an error instead of a hang.
void thread_end(ThreadCtx& c);

}  // namespace upcr::coll
