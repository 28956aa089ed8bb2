/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared complex and long double objects, and GNU C's __real__ and __imag__, which are objects (one of each access). */
#include "check.h"
#include <complex.h>
shared double complex z[2 * THREADS];
shared [2] long double l[2 * THREADS];
shared float _Complex fz;
struct pair { char c; float _Complex first; long double _Complex second; };
shared [2] struct pair pairs[4 * THREADS];
shared int real = 7;
strict shared double complex flag;
static int parts(void)
{
    shared [2] struct pair *p = &pairs[3 % (4 * THREADS)];
    shared double *imaginary = (shared double *)&__imag__ z[THREADS - 1];
    double before;
    z[THREADS - 1] = 0;
    __real__ z[THREADS - 1] = 2;
    __imag__ z[THREADS - 1] = 3;
    __imag__ (z[THREADS - 1]) *= 2;
    CHECK(z[THREADS - 1] == 2 + 6 * I && *imaginary == 6);
    before = (__real__ z[THREADS - 1])++;
    CHECK(before == 2 && __real__ z[THREADS - 1] == 3 && ++__imag__ z[THREADS - 1] == 7);
    CHECK((__real__ p->first = 5) == 5 && __imag__ p->first == 0);
    __imag__ p->second -= 1.5L;
    CHECK(p->first == 5 && p->second == -1.5L * I && p[0].c == 0 && __real__ (p->second + 4) == 4);
    __real__ flag = 8;
    CHECK(flag == 8 && __real__ real == 7 && __imag__ real == 0);
    return sizeof(__real__ p->first) == sizeof(float) && sizeof(__imag__ z[0]) == sizeof(double);
}
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
    upc_barrier;
    if (!MYTHREAD) CHECK(parts());
    return finish();
}
