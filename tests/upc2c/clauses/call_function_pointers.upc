/* SPDX-License-Identifier: BSD-3-Clause */
/* Function pointers that take and return pointers-to-shared. */
#include "check.h"
typedef shared [3] int *p3;
typedef p3 (*step_t)(p3, int);
typedef int (*const ops_t[])(shared void *, size_t);
typedef shared int *(*pick_t(int))(shared int *);
shared [3] int a[6 * THREADS];
shared int b[THREADS];
static p3 fwd(p3 p, int n) { return p + n; }
static p3 bwd(p3 p, int n) { return p - n; }
static int th(shared void *p, size_t k) { return (int)(upc_threadof(p) + k); }
static int ph(shared void *p, size_t k) { return (int)(upc_phaseof(p) + k); }
ops_t ops = {th, ph, &th};
shared step_t ss[THREADS];
shared struct {
    step_t f;
    ops_t *q;
} sv;
static shared int *id(shared int *p) { return p; }
static shared int *nx(shared int *p) { return p + 1; }
shared int *(*pick(int n))(shared int *) { return n ? nx : id; }
pick_t *pp = pick;
static int (*(*sel(shared int *p))(void))[3]
{
    (void)p;
    return 0;
}
static size_t (*lib)(shared void *) = upc_threadof;
static void (*get)(void *, shared const void *, size_t) = upc_memget;
static int apply(int f(p3 p), p3 p) { return f(p); }
static int val(shared [3] int *p) { return *p; }
int main(void)
{
    int i, v[3];
    step_t st[2] = {fwd, bwd};
    upc_forall(i = 0; i < 6 * THREADS; i++; a + i) a[i] = i;
    b[MYTHREAD] = MYTHREAD;
    ss[MYTHREAD] = MYTHREAD & 1 ? bwd : fwd;
    upc_barrier;
    CHECK(*st[0](a, 4) == 4 && *st[1](a + 5, 4) == 1 && *(*st)(st[0](a, 1), 1) == 2 && (**st[0])(a, 3)[1] == 4);
    for (i = 0; i < 3; i++) CHECK(ops[i](&a[4], 1) == (i == 1 ? 2 : 1 % THREADS + 1));
    CHECK(*ss[MYTHREAD](a + 2, 1) == (MYTHREAD & 1 ? 1 : 3) && *pick(0)(b) == 0 && (THREADS == 1 || *pp(1)(b) == 1) &&
          !sel(b));
    CHECK(lib(&b[THREADS - 1]) == THREADS - 1);
    get(v, a, sizeof v);
    CHECK(v[2] == 2 && apply(val, a + 3) == 3 && apply(&val, &a[5]) == 5);
    if (!MYTHREAD) {
        sv.f = fwd;
        CHECK(sv.f(a, 2) == a + 2);
        sv.f = 0;
        CHECK(!sv.f);
    }
    return finish();
}
