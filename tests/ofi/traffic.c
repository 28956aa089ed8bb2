/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that write to and read from the next one, in words or in blocks, or meet at barriers (TRAFFIC), for
 * TRAFFIC_SECONDS; without, until somebody ends the job. Thread 0 prints a line when all have begun. */
#include <time.h>

#include "tests/spmd/spmd.h"

enum { kBlock = 256 << 10 };

static void exchange(const char *kind, upcr_shared_ptr_t space, char *block, uint64_t round) {
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    if (kind[0] == 'w') { /* words */
        upcr_put_shared_val(spmd_part(space, next, 8), 0, round, 8);
        SPMD_EQ(upcr_get_shared_val(spmd_part(space, next, 8), 0, 8), round);
    } else if (kind[0] == 'a') { /* atomics: only this thread uses the word */
        SPMD_EQ(bupc_atomicU64_fetchadd_strict(spmd_part(space, next, 16), 1), round);
    } else if (kind[0] == 'b' && kind[1] == 'l') { /* blocks */
        memset(block, (int)round, kBlock);
        upcr_memput(spmd_part(space, next, 64), block, kBlock);
        memset(block, 0, kBlock);
        upcr_memget(block, spmd_part(space, next, 64), kBlock);
        SPMD_EQ((unsigned char)block[round % kBlock], (unsigned char)round);
    } else { /* barriers */
        spmd_barrier();
    }
}

static void run(void) {
    const char *const seconds = getenv("TRAFFIC_SECONDS"), *const kind = getenv("TRAFFIC");
    const upcr_shared_ptr_t space = spmd_alloc(kBlock + 64);
    char *const block = malloc(kBlock);
    const time_t end = time(NULL) + (seconds != NULL ? atoi(seconds) : 0);
    spmd_barrier();
    if (upcr_mythread() == 0) puts("ready"), fflush(stdout);
    /* All do as many rounds as thread 0, for the barriers. */
    for (uint64_t round = 0, go = 1; go; ++round) {
        exchange(kind, space, block, round);
        if (round % 64 != 0) continue;
        if (upcr_mythread() == 0)
            upcr_put_shared_val(spmd_part(space, 0, 0), 0, seconds == NULL || time(NULL) < end, 8);
        spmd_barrier();
        go = upcr_get_shared_val(spmd_part(space, 0, 0), 0, 8);
        spmd_barrier();
    }
    free(block);
}

SPMD_MAIN(run)
