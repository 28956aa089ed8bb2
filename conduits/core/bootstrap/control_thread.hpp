// SPDX-License-Identifier: BSD-3-Clause
// A bootstrap's thread that handles the job's end while the program computes, and a time limit for the end of
// the process. Private to conduits/core/bootstrap.
#pragma once

namespace upcr {

// Starts `body(argument)` on a detached thread that blocks all signals.
void start_control_thread(void* (*body)(void*), void* argument);

// The kernel kills the process after `seconds`, unless it has ended by then: what follows may block, for
// example a flush on a lock that a thread of the program holds.
void kill_self_after(long seconds);

}  // namespace upcr
