// SPDX-License-Identifier: BSD-3-Clause
// Which threads of the process are the program's: pthread_exit() in main() ends the process when the last of
// those has ended (C 7.26.5.5, POSIX pthread_exit), but the runtime's own threads, and those of the libraries
// that it loads for a network, never end.
#pragma once

namespace upcr {

// Around start-up, from one thread: all threads that exist at the end and did not at the beginning are the
// runtime's.
// Where the program has called MPI_Init() before, none of those that exist at the beginning is waited for
// either, except the initial one: MPI's progress threads are among them, and nobody can tell which they are.
void runtime_threads_begin();
void runtime_threads_end();
// The calling thread is the runtime's, or a UPC thread. Any thread.
void note_runtime_thread();
// Returns when no other thread of the program is left; at once where the system does not tell.
void wait_for_program_threads();

}  // namespace upcr
