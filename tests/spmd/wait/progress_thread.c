/* SPDX-License-Identifier: BSD-3-Clause */
/* With UPCR_PROGRESS_THREAD=yes messages to a thread that computes and never polls are served: it computes until
 * it sees a flag in its own memory, which the others put there after they have read its data. Without the
 * progress thread nothing would arrive and the program could not end. */
#include <time.h>

#include "tests/spmd/spmd.h"

enum { kRounds = 20, kWords = 4096, kDeadline = 120 /* seconds */ };

static void run(void) {
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads(), last = n - 1;
    const upcr_shared_ptr_t space = spmd_alloc((kWords + n) * 8);
    const upcr_shared_ptr_t there = spmd_part(space, last, 0);
    static uint64_t got[kWords];
    volatile uint64_t *const mine = (volatile uint64_t *)upcr_shared_to_local(spmd_part(space, me, 0));
    for (size_t i = 0; i < kWords; ++i) mine[i] = i * 3 + me;
    for (upcr_thread_t i = 0; i < n; ++i) mine[kWords + i] = 0;
    spmd_barrier();
    if (me != last) {
        for (int round = 0; round < kRounds; ++round)
            SPMD_EQ(upcr_get_shared_val(there, 8 * (size_t)round, 8), 3 * (uint64_t)round + last);
        upcr_get_shared(got, there, 0, sizeof got);
        for (size_t i = 0; i < kWords; ++i) SPMD_EQ(got[i], i * 3 + last);
        upcr_put_shared_val(there, (kWords + me) * 8, 1, 8);
    } else {
        const time_t end = time(NULL) + kDeadline;
        for (upcr_thread_t i = 0; i < last; ++i)
            while (mine[kWords + i] == 0)
                if (time(NULL) > end) SPMD_FAIL("thread %d has not been served for %d s", (int)i, kDeadline);
    }
    spmd_barrier();
}

SPMD_MAIN(run)
