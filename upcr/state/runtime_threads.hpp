// SPDX-License-Identifier: BSD-3-Clause
// The threads of the process that are not the program's. pthread_exit() in main() ends the process when the
// last thread of the program has ended (C 7.26.5.5, POSIX pthread_exit), but the runtime's own threads, and
// those of the libraries that it loads for a network, never end.
#pragma once

namespace upcr {

// To be called around start-up, by one thread: threads that exist at the end and did not at the beginning are
// the runtime's. If the program has called MPI_Init() before, all threads that exist at the beginning, except
// the initial one, count as the runtime's too: MPI's progress threads are among them and cannot be
// recognised.
void runtime_threads_begin();
void runtime_threads_end();
// Notes that the calling thread is the runtime's, or a UPC thread. Any thread.
void note_runtime_thread();
// Returns when no other thread of the program is left; at once where /proc is missing.
void wait_for_program_threads();

}  // namespace upcr
