/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the test of locks; locks.c is the test. */
#pragma once
#include "tests/spmd/spmd.h"

/* locks_turns.c: each holder reads the data of the previous one. */
void locks_turns(void);
/* locks_words.c: fences, and freeing beside other threads. */
void locks_words(void);

/* Collective: a lock that thread `home` has allocated. */
static inline upcr_shared_ptr_t lock_of(upcr_thread_t home) {
    upcr_shared_ptr_t cell = spmd_alloc(sizeof cell), lock = upcr_null_shared;
    if (upcr_mythread() == home) {
        lock = upcr_global_lock_alloc();
        upcr_memput(cell, &lock, sizeof lock);
    }
    spmd_barrier();
    upcr_memget(&lock, cell, sizeof lock);
    spmd_barrier();
    if (upcr_mythread() == home) upcr_free(cell);
    return lock;
}
