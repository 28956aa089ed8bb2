// SPDX-License-Identifier: BSD-3-Clause
// Semaphores: what start-up must do for them. See sem.cpp.
#pragma once

namespace upcr {

struct Job;

// At attach, before the first message: handlers, and room for threads that wait from afar.
void attach_semaphores(Job& job);

}  // namespace upcr
