/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pipeline synchronised by flags alone: thread 0 makes items, every thread hands each one on to the next
 * when that one has taken the last, the last thread adds them up. The items are relaxed, the flags strict:
 * who sees a flag sees the item.
 */
#include <upc_relaxed.h>
#include <stdio.h>

#define ITEMS 40
#define PARTS 4

shared [PARTS] double box[PARTS * THREADS]; /* the item in flight to each thread */
strict shared int ready[THREADS];           /* number of items that each thread has received, */
strict shared int taken[THREADS];           /* number of items that it has consumed */
shared double sum;

int main(void)
{
    double item[PARTS], expected = 0.0, mine = 0.0;
    int i, k, next = MYTHREAD + 1;

    for (i = 1; i <= ITEMS; i++) {
        if (MYTHREAD == 0) {
            for (k = 0; k < PARTS; k++) item[k] = i * 100 + k;
        } else {
            while (ready[MYTHREAD] != i) ; /* no poll, no yield: a strict read sees the change */
            for (k = 0; k < PARTS; k++) item[k] = box[PARTS * MYTHREAD + k];
            taken[MYTHREAD] = i;
        }
        if (next < THREADS) {
            while (taken[next] != i - 1) ;
            for (k = 0; k < PARTS; k++) box[PARTS * next + k] = item[k] + 1;
            ready[next] = i;
        } else {
            for (k = 0; k < PARTS; k++) mine += item[k];
        }
    }
    if (next == THREADS) sum = mine;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 1; i <= ITEMS; i++)
            for (k = 0; k < PARTS; k++) expected += i * 100 + k + (THREADS - 1);
        printf("%d items through the pipeline\n", ITEMS);
        if (sum == expected) printf("done\n");
        else printf("FAILED: sum %g instead of %g\n", sum, expected);
    }
    return 0;
}
