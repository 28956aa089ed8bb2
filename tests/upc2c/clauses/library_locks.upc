/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.2.4: locks from both allocators, in shared memory, attempts. */
#include <upc.h>
#include <stdio.h>
upc_lock_t *mine, *common;
upc_lock_t *shared table[THREADS];
shared int counter, attempts;

int main(void) {
    int i;
    common = upc_all_lock_alloc();
    mine = upc_global_lock_alloc();
    table[MYTHREAD] = mine;
    upc_barrier;
    for (i = 0; i < 20; i++) {
        upc_lock(common);
        counter++;
        upc_unlock(common);
    }
    for (i = 0; i < THREADS; i++) {
        upc_lock_t *other = table[i];
        while (!upc_lock_attempt(other))
            ;
        attempts += i == 0;
        upc_unlock(other);
    }
    upc_barrier;
    if (counter != 20 * THREADS || attempts != THREADS) return 1;
    upc_barrier;
    upc_lock_free(mine);
    upc_barrier;
    if (MYTHREAD == 0) upc_lock_free(common);
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
