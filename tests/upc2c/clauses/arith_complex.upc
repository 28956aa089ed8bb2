/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared complex and long double objects. */
#include "check.h"
#include <complex.h>
shared double complex z[2 * THREADS];
shared [2] long double l[2 * THREADS];
shared float _Complex fz;
int main(void)
{
    int i;
    upc_forall(i = 0; i < 2 * THREADS; i++; &z[i]) z[i] = i + 2 * i * I;
    upc_forall(i = 0; i < 2 * THREADS; i++; &l[i])
    {
        l[i] = i;
        l[i] /= 3;
        l[i]++;
    }
    upc_barrier;
    if (!MYTHREAD) {
        fz = 1 + 2 * I;
        fz *= fz;
        z[0] += 3;
        z[0] *= I;
    }
    upc_barrier;
    CHECK(crealf(fz) == -3 && cimagf(fz) == 4);
    CHECK(cimag(z[0]) == 3 && creal(z[0]) == 0);
    for (i = 1; i < 2 * THREADS; i++) CHECK(creal(z[i]) == i && cimag(z[i]) == 2 * i && z[i] == conj(i - 2 * i * I));
    for (i = 0; i < 2 * THREADS; i++) CHECK(l[i] == (long double)i / 3 + 1);
    return finish();
}
