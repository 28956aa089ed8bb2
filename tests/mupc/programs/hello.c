/* SPDX-License-Identifier: BSD-3-Clause */
/* The C that a front end makes of
 *     shared int a[THREADS];
 *     int main(void) { a[MYTHREAD] = MYTHREAD + 1; upc_barrier; ... the sum on thread 0 ... }
 * The report's upc_hello_world. */
#include <mupc.h>
#include <stdio.h>

MUPC_SHARED(a, THREADS, sizeof(int));

int main(void) {
    const int mine = MYTHREAD + 1;
    mupc_put(mupc_add(a, MYTHREAD, sizeof mine, 1), &mine, sizeof mine);
    UPC_barrier(1);
    if (MYTHREAD == 0) {
        int sum = 0;
        for (int i = 0; i < THREADS; ++i) {
            int value;
            mupc_get(&value, mupc_add(a, i, sizeof value, 1), sizeof value);
            sum += value;
        }
        printf("hello from %d threads: %d\n", THREADS, sum);
    }
} /* main() of C99 returns 0 by itself */
