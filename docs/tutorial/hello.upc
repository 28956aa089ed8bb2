/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads and barriers: every thread runs main, and prints when it is its turn. */
#include <stdio.h>
#include <upc.h>

int main(void) {
    for (int turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD) {
            printf("hello from thread %d of %d\n", MYTHREAD, THREADS);
            fflush(stdout);
        }
        upc_barrier;
    }
    return 0;
}
