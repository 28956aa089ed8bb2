/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which variables are whose: unshared variables exist once for each UPC thread, whether threads are
 * processes or pthreads; shared ones exist once.
 */
#include <upc_relaxed.h>
#include <stdio.h>
#include <string.h>

int visits = 5;                              /* a copy for each thread */
static char greeting[32] = "hello from UPC thread";
double history[3];                           /* zero at the start */
shared int total;                            /* a single one */
shared int seen[THREADS];                    /* element i has affinity to thread i */

static int next(void)
{
    static int calls = 100; /* a copy for each thread, too */
    return calls++;
}

int main(int argc, char **argv)
{
    int i, wrong = 0, sum = 0;
    upc_lock_t *lock = upc_all_lock_alloc();

    for (i = 0; i < 3; i++) history[i] += next() + MYTHREAD;
    visits += MYTHREAD;
    greeting[0] = 'H';
    seen[MYTHREAD] = visits;
    upc_lock(lock);
    total += visits;
    upc_unlock(lock);
    wrong += history[2] != 102 + MYTHREAD || next() != 103 || strcmp(greeting, "Hello from UPC thread") != 0;
    upc_barrier;
    for (i = 0; i < THREADS; i++) { /* in turn: a program that mixes its lines up is hard to read */
        if (i == MYTHREAD) {
            printf("%s %d of %d\n", greeting, MYTHREAD, THREADS);
            fflush(stdout);
        }
        upc_barrier;
    }
    for (i = 0; i < THREADS; i++) sum += seen[i], wrong += seen[i] != 5 + i;
    wrong += sum != total || argc < 1 || argv[0] == NULL;
    upc_barrier;
    if (MYTHREAD == 0) total = 0;
    upc_barrier;
    upc_lock(lock);
    total += wrong;
    upc_unlock(lock);
    upc_barrier;
    if (MYTHREAD == 0) {
        if (total == 0) printf("done\n");
        else printf("FAILED: %d\n", total);
    }
    return wrong;
}
