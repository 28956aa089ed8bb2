/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/upc.md: what gdb prints where it stops in line 40, for two UPC threads. */
#include <stdio.h>
#include <upc_relaxed.h>

struct cell {
    int count;
    shared struct cell *next;
};

shared [4] double values[4 * THREADS * 2];
shared struct cell cells[8 * THREADS];

static void fill(void) {
    for (int i = 0; i < 8 * THREADS; i++) {
        if (upc_threadof(&cells[i]) != MYTHREAD) continue;
        cells[i].count = i + 1;
        cells[i].next = &cells[(i + 1) % (8 * THREADS)];
    }
}

/* An element of the second thread's first block, with its phase. */
static shared [4] double *third(void) {
    shared [4] double *p = values;
    return p + 6;
}

static double sum(shared [4] double *p) {
    double all = 0;
    for (int i = 0; i < 4; i++) all += p[i];
    return all;
}

int main(void) {
    shared [4] double *p = third();
    fill();
    if (MYTHREAD == 0) p[3] = 0.25;
    upc_barrier;
    printf("%d\n", sum(p) == 0.25);
    return 0;
}
