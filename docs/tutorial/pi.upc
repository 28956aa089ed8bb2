/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock around a shared sum: pi by the area under 4 / (1 + x * x). */
#include <math.h>
#include <stdio.h>
#include <upc.h>

#define STEPS 1000000

shared double pi; /* a shared scalar is on thread 0 */

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    double part = 0;
    upc_forall (long i = 0; i < STEPS; i++; i) {
        const double x = (i + 0.5) / STEPS;
        part += 4 / (1 + x * x) / STEPS;
    }

    upc_lock(lock);
    pi += part;
    upc_unlock(lock);
    upc_barrier;

    if (MYTHREAD == 0) {
        printf("pi is %.6f\n", pi);
        upc_lock_free(lock);
    }
    return fabs(pi - 3.14159265358979) > 1e-9;
}
