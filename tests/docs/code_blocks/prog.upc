/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages' prog.upc where its text does not matter: it ends, after accesses, a loop and barriers. */
#include <stdio.h>
#include <upc_relaxed.h>

int twice(int); /* helpers.c's, where it is linked */
#pragma weak twice

shared double a[64 * THREADS];

int main(void) {
    double sum = 0;
    int i;
    upc_forall (i = 0; i < 64 * THREADS; i++; &a[i]) a[i] = MYTHREAD;
    upc_barrier;
    for (i = 0; i < 64 * THREADS; i++) sum += a[i];
    upc_barrier;
    if (sum != 32.0 * THREADS * (THREADS - 1) * (twice ? twice(1) / 2 : 1)) return 1;
    return 0;
}
