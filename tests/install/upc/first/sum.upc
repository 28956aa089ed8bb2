/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <upc.h>
#include <part.h>
int main(void) {
    int sum = 0;
    fill();
    upc_barrier;
    for (int i = 0; i < THREADS; i++) sum += part[i];
    if (MYTHREAD == 0) printf("sum %d of %d threads\n", sum, THREADS);
    return 0;
}
