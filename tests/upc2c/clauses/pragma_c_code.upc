/* SPDX-License-Identifier: BSD-3-Clause */
/* #pragma upc c_code: UPC's keywords are identifiers. */
#include <upc.h>
#include <stdio.h>
#pragma upc c_code
struct options { int shared, strict, relaxed; };
static int sum(struct options o) {
    int shared = o.shared, strict = o.strict, relaxed = o.relaxed;
    return shared + strict + relaxed;
}
#pragma upc upc_code
shared int total[THREADS];

int main(void) {
#pragma upc c_code
    struct options o = {.shared = 1, .strict = 2, .relaxed = 3};
#pragma upc upc_code
    total[MYTHREAD] = sum(o) + MYTHREAD;
    upc_barrier;
    if (total[THREADS - 1] != 6 + THREADS - 1) return 1;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
