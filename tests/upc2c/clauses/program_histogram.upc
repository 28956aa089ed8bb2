/* SPDX-License-Identifier: BSD-3-Clause */
/* A histogram under an array of locks. */
#include <upc.h>
#include <stdio.h>
#define BINS 10
shared [BINS] int histogram[BINS * THREADS];
upc_lock_t *shared [] locks[BINS];
int main(int argc, char **argv) {
    unsigned state = 12345u + 77u * MYTHREAD;
    int i, expected = 300 * THREADS;
    for (i = MYTHREAD; i < BINS; i += THREADS) locks[i] = upc_global_lock_alloc();
    upc_barrier;
    for (i = 0; i < 300; ++i) {
        int bin;
        state = state * 1103515245u + 12345u;
        bin = (state >> 16) % BINS;
        upc_lock(locks[bin]);
        histogram[bin] += 1;
        upc_unlock(locks[bin]);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        int sum = 0;
        for (i = 0; i < BINS; i++) sum += histogram[i];
        if (sum != expected) {
            printf("%d instead of %d\n", sum, expected);
            upc_global_exit(3);
        }
        for (i = 0; i < BINS; i++) upc_lock_free(locks[i]);
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
