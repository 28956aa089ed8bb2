/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared unions with pointers-to-shared, volatile and const objects. */
#include "check.h"
#include <stdint.h>
union u {
    shared int *p;
    shared [] char *c;
    uint64_t w[2];
    double d;
    struct {
        short lo, hi;
    };
};
shared union u su[THREADS];
const volatile shared int cv = 4;
shared int *const volatile cvp = (shared int *)0;
shared int n[2 * THREADS];
volatile shared [2] double vd[2 * THREADS];
shared struct {
    union {
        int i;
        char b[4];
    };
    volatile int v;
    const int k;
} an = {.i = 0x01020304, .k = 6};
static double half(volatile shared [2] double *p) { return *p / 2; }
static int rd(const volatile shared int *p) { return *p; }
int main(void)
{
    union u l;
    su[MYTHREAD].p = &n[MYTHREAD + 1];
    *su[MYTHREAD].p = MYTHREAD;
    upc_barrier;
    l = su[(MYTHREAD + 1) % THREADS];
    CHECK(*l.p == (MYTHREAD + 1) % THREADS && l.p == su[(MYTHREAD + 1) % THREADS].p && rd(l.p) == *l.p);
    upc_barrier;
    su[MYTHREAD].d = 1.5;
    CHECK(su[MYTHREAD].d == 1.5);
    su[MYTHREAD].hi = 3;
    su[MYTHREAD].lo = su[MYTHREAD].hi << 1;
    CHECK(su[MYTHREAD].lo == 6);
    CHECK(cv == 4 && rd(&cv) == 4 && !cvp && an.k == 6 && (an.b[0] == 4 || an.b[0] == 1));
    vd[2 * MYTHREAD] = 3;
    vd[2 * MYTHREAD] += vd[2 * MYTHREAD];
    CHECK(half(&vd[2 * MYTHREAD]) == 3);
    an.v = 4;
    CHECK(an.v == 4);
    return finish();
}
