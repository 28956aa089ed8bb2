// SPDX-License-Identifier: BSD-3-Clause
// UPCR_PROGRESS_THREAD: a thread that serves peers while the program computes. Started at the end of
// attach, stopped before detach.
#pragma once

namespace upcr {

void start_progress_thread();
void stop_progress_thread();

}  // namespace upcr
