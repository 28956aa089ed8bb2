/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relaxed accesses do not wait for the other end: without a communication thread and with shared memory off, thread
 * 0 calls nothing of the runtime until the others have put something into its memory, and started a get from there,
 * and returned. They signal by files, since other means would need thread 0. Were a put strict, or a get complete, they
 * would wait for thread 0, and it for them.
 */
#include "tests/mupc/files.h"
#include "tests/mupc/programs/check.h"

enum { kPuts = 20 };
MUPC_SHARED(values, 1, THREADS *kPuts * sizeof(uint64_t)); /* all on thread 0; number 0 stays 0 */
MUPC_SHARED(process, 1, sizeof(uint64_t));

int main(void) {
    uint64_t later = 1;
    if (MYTHREAD == 0) put64(process, (uint64_t)getpid());
    UPC_barrier(1);
    const int first = (int)get64(process);
    UPC_barrier(2); /* from here on thread 0 does not poll */
    if (MYTHREAD == 0) {
        for (int t = 1; t < THREADS; ++t) wait_for_file(file_of(first, "returned", t));
    } else {
        for (int i = 0; i < kPuts; ++i)
            put64(mupc_add(values, MYTHREAD + i * THREADS, 8, 0), (uint64_t)i + 1);
        mupc_get_start(&later, mupc_add(values, 0, 8, 0), 8);
        make_file(file_of(first, "returned", MYTHREAD));
        _UPCRTS_GetAllSync();
        _UPCRTS_PutAllSync();
        CHECK(later == 0);
    }
    UPC_barrier(3);
    if (MYTHREAD == 0)
        for (int i = 0; i < kPuts; ++i)
            for (int t = 1; t < THREADS; ++t)
                CHECK(get64(mupc_add(values, t + i * THREADS, 8, 0)) == (uint64_t)i + 1);
    return 0;
}
