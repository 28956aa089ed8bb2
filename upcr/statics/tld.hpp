// SPDX-License-Identifier: BSD-3-Clause
// Thread-local data of the program (include/upcr/tld.h) when a process runs several UPC threads: the first
// uses the variables where they are, each other one a copy. Called by start-up only.
#pragma once

namespace upcr {

// Fatal, with the variables and files, if the program cannot run `pthreads` UPC threads per process because
// it uses thread-local variables by their plain names. Any time after the number is known.
void tld_check(int pthreads);
// Makes the copies, after tld_check(). Once per process, before pre_spawn_init(), that is before any pthread
// exists and any code of the program runs. Does nothing for one thread.
void tld_process_init(int pthreads);
// Gives the calling thread its copy. Each UPC thread, first of all; local_index is its upcri_mypthread().
void tld_thread_init(int local_index);

}  // namespace upcr
