/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that waits for a long time sleeps, if the network can wake it: it yields its CPU a few times in the
 * second that the last thread makes it wait, not once for each poll. */
#include <sys/resource.h>
#include <time.h>

#include "tests/spmd/spmd.h"

enum { kRounds = 3, kMaxSwitches = 200 };

static long switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
}

static void run(void) {
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads();
    const upcr_shared_ptr_t space = spmd_alloc(8);
    for (int round = 1; round <= kRounds; ++round) {
        spmd_barrier();
        if (me + 1 == n) {
            const struct timespec second = {1, 0};
            nanosleep(&second, NULL);
            for (upcr_thread_t i = 0; i < n; ++i)
                upcr_put_shared_val(spmd_part(space, i, 0), 0, (uint64_t)round, 8);
        }
        const long before = switches();
        spmd_barrier();
        const long during = switches() - before;
        if (me + 1 != n && during > kMaxSwitches)
            SPMD_FAIL("thread %d yielded its CPU %ld times while it waited", (int)me, during);
        SPMD_EQ(upcr_get_shared_val(spmd_part(space, me, 0), 0, 8), (uint64_t)round);
    }
}

SPMD_MAIN(run)
