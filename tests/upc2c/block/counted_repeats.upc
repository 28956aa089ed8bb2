/* SPDX-License-Identifier: BSD-3-Clause */
/* For count.sh: thread 0 reads each of 10 elements of thread 1 twice in one expression, and another one 10 times in a
 * loop. */
#include <stdio.h>
#include <upc_relaxed.h>

shared int elements[10 * THREADS], scale[THREADS];

int main(void) {
    int i, sum = 0;
    for (i = MYTHREAD; i < 10 * THREADS; i += THREADS) *(int *)&elements[i] = i;
    *(int *)&scale[MYTHREAD] = MYTHREAD + 2;
    upc_barrier;
    if (MYTHREAD == 0) {
        i = 1;
        while (i < 20) {
            sum += elements[i] * elements[i];
            i = i + 2;
        }
        i = 0;
        while (i < 20) {
            i = i + 2;
            sum += scale[1];
        }
    }
    upc_barrier;
    if (MYTHREAD == 0) puts(sum == 1330 + 30 ? "done" : "wrong");
    return 0;
}
