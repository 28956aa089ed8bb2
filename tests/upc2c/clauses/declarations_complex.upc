/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarators of every depth with shared in every place. */
#include "check.h"
int a, *b, **c, d[3], *e[3], (*f)[3], g(), *h(void), (*i)(), (*j[2])(int), *(*(*k)(void))[4];
int shared *l, *shared *m, *shared *shared o, (*q)[THREADS], *r[3], *shared s[THREADS],
    *(*(*shared t)(shared int *))[2];
long shared long unsigned u, v[THREADS], w[3][THREADS];
const shared [2] int *const x = 0, *const volatile y = 0;
shared int (*const z)[5] = 0, shared_not;
typedef int aa, (*bb)(aa);
typedef int shared cc, *shared dd;
cc ee, *ff;
dd gg;
bb hh[2];
static shared const unsigned char kk;
extern shared int ll_ll[];
int volatile shared static mm;
unsigned shared const typedef nn;
shared int(((pp))), *(((qq))), ((rr)[THREADS]), *(((*ss))[2]);
int *shared tt;
int (*uu)(int shared *, shared int *[2], shared int (*)[3], shared [2] int[], int (*)(shared void *));
struct tag {
    shared int *a, *b, *(*c)(shared int *), *d[2], (*e)[3];
} shared vv, *ww, xx[THREADS];
shared struct {
    int i;
} shared shared yy;
int shared typedef zz;
shared [4] int (*(*ab)[3])[2];
int main(void)
{
    l = &ee;
    if (!MYTHREAD) ee = 4, xx[0].a = l;
    upc_barrier;
    CHECK(*l == 4 && *xx[0].a == 4 && sizeof w == 24 * THREADS && !ss && !ab && upc_blocksizeof(**ab[0]) == 4);
    return finish();
}
