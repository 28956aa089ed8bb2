// SPDX-License-Identifier: BSD-3-Clause
// The progress thread (UPCR_PROGRESS_THREAD): serves peers while the program computes.
#pragma once

namespace upcr {

void start_progress_thread();
void stop_progress_thread();

}  // namespace upcr
