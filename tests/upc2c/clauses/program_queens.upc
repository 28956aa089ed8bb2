/* SPDX-License-Identifier: BSD-3-Clause */
/* Solutions of the eight queens problem, tasks taken from a shared counter by a lock, results by strict accesses. */
#include <upc.h>
#include <stdio.h>
#define N 8
strict shared int next_task, solutions[THREADS];
upc_lock_t *guard;
static int place(int row, unsigned columns, unsigned down, unsigned up) {
    int c, n = 0;
    if (row == N) return 1;
    for (c = 0; c < N; c++) {
        unsigned d = 1u << (row + c), u = 1u << (row - c + N);
        if (columns & 1u << c || down & d || up & u) continue;
        n += place(row + 1, columns | 1u << c, down | d, up | u);
    }
    return n;
}
int main(void) {
    int task, sum;
    guard = upc_all_lock_alloc();
    for (;;) {
        upc_lock(guard);
        task = next_task++;
        upc_unlock(guard);
        if (task >= N) break;
        solutions[MYTHREAD] += place(1, 1u << task, 1u << task, 1u << (N - task));
    }
    upc_barrier;
    for (task = sum = 0; task < THREADS; task++) sum += solutions[task];
    if (sum != 92) {
        printf("%d solutions\n", sum);
        return 1;
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
