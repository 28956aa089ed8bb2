/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the elements of shared arrays are, by their block sizes. */
#include <stdio.h>
#include <upc.h>

shared int cyclic[4 * THREADS];      /* block size 1 */
shared [2] int pairs[4 * THREADS];   /* blocks of 2 elements, dealt out in turn */
shared [*] int blocked[4 * THREADS]; /* one block for each thread: of 4 elements */
shared [] int all_on_0[4];           /* indefinite: one block */

struct point { double x, y; };
shared [3] struct point grid[2][3 * THREADS]; /* the block size counts elements, not rows */

#define SHOW(array)                                                                   \
    printf("%-8s block size %zu, %zu bytes an element:", #array, upc_blocksizeof(array), \
           upc_elemsizeof(array));                                                    \
    for (int i = 0; i < 4; i++) printf(" %zu.%zu", upc_threadof(&array[i]), upc_phaseof(&array[i])); \
    printf("\n")

int main(void) {
    if (MYTHREAD == 0) {
        SHOW(blocked);
        SHOW(all_on_0);
        printf("%-8s block size %zu, %zu bytes an element\n", "grid", upc_blocksizeof(grid), upc_elemsizeof(grid));
        printf("pairs[2] is on thread %s, cyclic[1], too\n",
               upc_threadof(&pairs[2]) == 1 % THREADS && upc_threadof(&cyclic[1]) == 1 % THREADS ? "1" : "?");
        printf("this thread has %zu bytes of pairs and %zu of grid\n", upc_localsizeof(pairs),
               upc_localsizeof(grid));
    }
    return 0;
}
