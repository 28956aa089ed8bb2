/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/upc.md: what the error in line 19 looks like. */
#include <upc_relaxed.h>

shared [8] int hist[8 * THREADS];

static int count(int value) {
    hist[value % 8]++;
    return hist[value % 8];
}

static int total(void) {
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += hist[i];
    return sum;
}

int main(void) {
    int *q = &hist[3];
    return count(*q) + total();
}
