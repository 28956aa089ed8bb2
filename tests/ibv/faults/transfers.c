/* SPDX-License-Identifier: BSD-3-Clause */
/* transfers ROUNDS [BYTES]: each thread writes to all others in turn from private memory, BYTES at a time,
 * reads back and compares; ROUNDS times, 0: until the job ends. After the first round a thread says "thread T
 * is under way, process P", at the end "thread T is done". */
#include <unistd.h>

#include "tests/spmd/spmd.h"

static uint64_t rounds;
static size_t bytes = 64 << 10;

static void round_of(upcr_shared_ptr_t all, uint64_t number, char *out, char *in) {
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads();
    for (upcr_thread_t step = 1; step < n; ++step) {
        const upcr_shared_ptr_t there = spmd_part(all, (me + step) % n, me * bytes);
        memset(out, (int)(number + me + step), bytes);
        memset(in, 0, bytes);
        upcr_memput(there, out, bytes);
        upcr_memget(in, there, bytes);
        SPMD_EQ(memcmp(in, out, bytes), 0);
    }
}

static void run(void) {
    const upcr_shared_ptr_t all = spmd_alloc(upcr_threads() * bytes);
    char *out = (char *)malloc(bytes), *in = (char *)malloc(bytes);
    for (uint64_t i = 0; rounds == 0 || i < rounds; ++i) {
        round_of(all, i, out, in);
        if (i == 0)
            printf("thread %u is under way, process %d\n", upcr_mythread(), (int)getpid()), fflush(stdout);
    }
    printf("thread %u is done\n", upcr_mythread());
    free(out), free(in);
}

static int spmd_main(int argc, char **argv) {
    rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    if (argc > 2) bytes = strtoull(argv[2], NULL, 10);
    run();
    spmd_barrier();
    return 0;
}
int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, &spmd_main);
    return 99; /* not reached */
}
