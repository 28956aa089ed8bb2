/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions and main defined in the manner of K&R. */
#include <upc.h>
#include <stdio.h>

shared int table[THREADS];
int errs;
extern char *getenv();
static int max();
shared int *find();
int max(a, b)
register int a, b;
{
    return a > b ? a : b;
}
shared int *find(p, n, v)
    shared int *p;
    int n, v;
{
    register int i;
    for (i = 0; i < n; ++i)
        if (p[i] == v) return &p[i];
    return (shared int *)0;
}
double avg(p, n) shared int p[]; unsigned short n; { double s; int i; s = 0.0; for (i = 0; i < n; i++) s += p[i]; return n ? s / n : 0; }
char cc(c, f) char c; float f; { return c + (int)f; }
void apply(fn, p) void (*fn)(); shared int *p; { (*fn)(p); }
void inc(p) shared int *p; { ++*p; }
main(argc, argv)
int argc;
char **argv;
{
    int i;
    table[MYTHREAD] = MYTHREAD * 2;
    upc_barrier;
    if (max(3, 4) != 4) errs++;
    if (find(table, THREADS, 2 * THREADS - 2) != &table[THREADS - 1]) errs++;
    if (find(table, THREADS, -1)) errs++;
    if (avg(table, THREADS) != THREADS - 1) errs++;
    if (cc('a', 1.5) != 'b') errs++;
    upc_barrier;
    apply(inc, &table[MYTHREAD]);
    if (table[MYTHREAD] != 2 * MYTHREAD + 1) errs++;
    for (i = 0; i < 10; i++) ;
    if (errs) printf("errs %d\n", errs);
    upc_barrier;
    if (MYTHREAD == 0 && !errs) printf("done\n");
    return errs;
}
