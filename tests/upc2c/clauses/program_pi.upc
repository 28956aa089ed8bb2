/* SPDX-License-Identifier: BSD-3-Clause */
/* Pi by the midpoint rule, partial sums in a shared array and by a reduction with a lock. */
#include <upc_strict.h>
#include <stdio.h>
#include <math.h>
#define STEPS 20000
shared double partial[THREADS];
shared double pi;
upc_lock_t *lock;
int main(void) {
    double h = 1.0 / STEPS, sum = 0.0, check = 0;
    int i;
    lock = upc_all_lock_alloc();
    upc_forall (i = 0; i < STEPS; i++; i) {
        double x = h * ((double)i + 0.5);
        sum += 4.0 / (1.0 + x * x);
    }
    partial[MYTHREAD] = sum * h;
    upc_lock(lock);
    pi += sum * h;
    upc_unlock(lock);
    upc_barrier;
    for (i = 0; i < THREADS; ++i) check += partial[i];
    if (fabs(pi - M_PI) > 1e-6 || fabs(check - pi) > 1e-12) {
        printf("%.15f %.15f\n", pi, check);
        return 1;
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_lock_free(lock);
        puts("done");
    }
    return 0;
}
