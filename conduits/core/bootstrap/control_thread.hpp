// SPDX-License-Identifier: BSD-3-Clause
// The thread of a bootstrap that learns of the job's end while the program computes, and what it needs to end
// the process in time. Private to conduits/core/bootstrap.
#pragma once

namespace upcr {

// Starts `body(argument)` on a detached thread that takes no signals.
void start_control_thread(void* (*body)(void*), void* argument);

// From now on the process dies within `seconds` even when what follows blocks: a flush, for example, on a
// lock that a thread of the program holds.
void kill_self_after(long seconds);

}  // namespace upcr
