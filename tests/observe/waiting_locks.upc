/* SPDX-License-Identifier: BSD-3-Clause */
/* Each of two threads holds a lock that the other one waits for. */
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>

int main(void) {
    upc_lock_t *locks[2] = {upc_all_lock_alloc(), upc_all_lock_alloc()};
    upc_lock(locks[MYTHREAD]);
    upc_barrier;
    if (MYTHREAD == 0) {
        puts("running");
        fflush(stdout);
    }
    upc_lock(locks[1 - MYTHREAD]); /* line: second */
    return 0;
}
