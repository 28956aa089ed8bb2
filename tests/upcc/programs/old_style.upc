/* SPDX-License-Identifier: BSD-3-Clause */
/* C of before 1989 at length: definitions with old-style parameters, implicit int, functions without declarations. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#define private
#define OK 1
#define local static
typedef char *string;
typedef struct rec {
    struct rec *next;
    char name[8];
} REC, *RECP;
private
REC recs[3];
local int errors;
shared int results[THREADS];
shared [] float *fv;
float fsum();
short sarr[4];
int vf();
char *dup8();
shared [] float *mkf();
void noargs();
extern void exit();
local check(ok, what)
string what;
{
    if (!ok) {
        errors++;
        (void)fprintf(stderr, "%d: %s\n", MYTHREAD, what);
    }
}
int chars(c, s, f, u)
char c;
short s;
float f;
unsigned char u;
{ return c + s + (int)f + u; }
int arrays(a, n, m)
int a[], n, (*m)[2];
{
    int s = 0;
    while (n--) s += *a++;
    return s + m[1][1];
}
int funp(f, x) int (*f)(), x;
{ return (*f)(x); }
local twice(x) { return x + x; }
RECP link3() {
    recs[0].next = &recs[1];
    recs[1].next = &recs[2];
    return recs;
}
float fsum(v, n) shared [] float *v;
int n;
{
    float s = 0.;
    register int i;
    for (i = 0; i < n; i++) s = s + v[i];
    return (s);
}
shared [] float *mkf(n) {
    shared [] float *p;
    p = (shared [] float *)upc_alloc(n * sizeof(float));
    return p;
}
char *dup8(s)
char *s;
{
    char *t = (char *)malloc((unsigned)9), *u = t;
    while (*u++ = *s++)
        ;
    return t;
}
void noargs() {
    results[MYTHREAD] = OK;
    return;
}
struct pair {
    shared int *a;
    int b;
} mkpair(p, b) shared int *p;
{
    struct pair r;
    r.a = p;
    r.b = b;
    return r;
}
int vf(n) { return n ? n * vf(n - 1) : 1; }
unsigned shf(p, q, lck)
shared int *p, *q;
upc_lock_t *lck;
{
    upc_lock(lck);
    *p += 1;
    upc_unlock(lck);
    return (unsigned)(q - p);
}
int main(argc, argv)
char *argv[];
{
    int i, a[3], m[2][2];
    auto int z = 3;
    upc_lock_t *lk = upc_all_lock_alloc();
    a[0] = 1, a[1] = 2, a[2] = 3;
    m[1][1] = 4;
    check(chars('a', 1, 2.5, 255) == 'a' + 1 + 2 + 255, "chars");
    check(arrays(a, 3, m) == 10, "arrays");
    check(funp(twice, 4) == 8, "funp");
    check(link3()->next->next == &recs[2], "link");
    fv = mkf(4);
    for (i = 0; i < 4; i++) fv[i] = i * 1.5;
    check(fsum(fv, 4) == 9.0, "fsum");
    check(dup8("abc")[2] == 'c', "dup");
    noargs();
    upc_barrier;
    for (i = 0; i < THREADS; i++) check(results[i] == OK, "results");
    check(mkpair(results, 4).a[0] == OK && mkpair(results, 4).b == 4, "pair");
    check(vf(5) == 120, "vf");
    upc_barrier;
    check(shf(&results[0], &results[THREADS - 1], lk) == THREADS - 1, "shf");
    upc_barrier;
    check(results[0] == OK + THREADS, "lock");
    check(z == 3 && argc >= 1 && argv[0] != NULL, "argv");
    upc_barrier;
    if (errors) upc_global_exit(1);
    upc_barrier;
    if (MYTHREAD == 0) printf("done\n");
    return 0;
}
