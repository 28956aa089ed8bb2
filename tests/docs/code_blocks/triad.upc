/* SPDX-License-Identifier: BSD-3-Clause */
#include <upc_relaxed.h>
shared double a[64 * THREADS], b[64 * THREADS], c[64 * THREADS];
void triad(shared [] double *p, double s, int *n) {
    upc_forall (int i = 0; i < 64 * THREADS; i++; &a[i])
        a[i] = b[i] + s * c[i];
    for (int i = 0; i < 64; i++)
        p[i] = s;
    for (int i = 0; i < *n; i++)
        *n -= a[i] > 0;
}
