/* SPDX-License-Identifier: BSD-3-Clause */
/* The conditional operator over shared lvalues, generic and null pointers. */
#include "check.h"
shared [3] int a[3 * THREADS];
const shared [3] int ca[3 * THREADS];
shared int s;
shared void *gv;
strict shared int st;
struct p {
    int x, y;
};
shared struct p sp[THREADS], sq;
int main(void)
{
    int z = MYTHREAD * 0, o = !z;
    const shared [3] int *cp = z ? a : ca;
    shared void *g = z ? (shared void *)a : &s;
    const shared void *cg = o ? g : ca;
    shared [3] int *n = o ? a : (void *)0;
    struct p l = {4, 5};
    CHECK(cp == ca && g == &s && cg == g && n == a);
    sq.x = 1;
    l = z ? l : sq;
    CHECK(l.x == 1);
    l = o ? (struct p){7, 8} : sq;
    CHECK(l.y == 8 && (o ? sq : l).x == 1 && (z ? l : sp[MYTHREAD]).x == 0);
    CHECK((o ? &sq : &sp[0])->x == 1 && (z ? sp : &sp[MYTHREAD])[0].y == 0);
    CHECK((o ? s : 1.5) == 0 && sizeof(o ? s : 1.5) == sizeof(double) && (o ?: s) == 1 && (z ? 1 : a[0]) == 0);
    s = 0;
    upc_barrier;
    *(o ? &a[3 * MYTHREAD] : &a[0]) = 3;
    (o ? a : n)[3 * MYTHREAD] += 1;
    CHECK(a[3 * MYTHREAD] == 4);
    z ? a[0]++ : (void)0;
    o ? (void)a[3 * MYTHREAD]++ : (void)0;
    CHECK(a[3 * MYTHREAD] == 5);
    CHECK((z, o, a)[3 * MYTHREAD] == 5);
    gv = a;
    upc_barrier;
    CHECK((shared [3] int *)(o ? gv : NULL) == a && (o ? gv : (shared void *)n) == a && !(o ? NULL : n) && (n && gv) &&
          !(!n || !gv));
    CHECK((a + 1 ? 1 : 0) && (&st ? st == 0 : 0));
    return finish();
}
