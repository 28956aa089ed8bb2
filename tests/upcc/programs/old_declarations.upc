/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations in every order, K&R definitions and pointers to everything. */
#include <upc_relaxed.h>
#include <stdio.h>
shared int *a;
shared [5] int *b;
int shared *c;
int *shared d;
shared int *shared e;
const shared int *f;
shared const int *const g = 0;
int shared [2] h[2 * THREADS];
shared [2] unsigned long long int h2[THREADS][2];
long shared [3] unsigned x3[3 * THREADS];
typedef int shared [3] T3;
T3 t3[3 * THREADS];
volatile shared int vs;
shared volatile strict int svs;
static strict shared [1] volatile unsigned char flags[THREADS];
sum(p, n) shared int *p;
{
    register i, s = 0;
    for (i = 0; i < n; i++) s += p[i];
    return s;
}
shared int *next(p)
shared int *p;
{ return p + 1; }
shared [3] int *(*table[2])(shared [3] int *, int);
static shared [3] int *step3(shared [3] int *p, int k) { return p + k; }
static shared [3] int *back3(shared [3] int *p, int k) { return p - k; }
shared int (*sa)[4];
shared int arr4[THREADS][4];
void (*fp)(shared void *, const shared void *, size_t) = upc_memcpy;
main(argc, argv) char **argv;
{
    auto int i;
    int bad = 0;
    a = (shared int *)upc_all_alloc(THREADS * 4, sizeof(int));
    sa = arr4;
    for (i = MYTHREAD; i < 4 * THREADS; i += THREADS) a[i] = i, arr4[i / 4][i % 4] = i;
    vs = 0;
    flags[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    bad += sum(a, 4 * THREADS) != 4 * THREADS * (4 * THREADS - 1) / 2;
    bad += *next(next(a)) != 2;
    table[0] = step3;
    table[1] = &back3;
    if (MYTHREAD == 0)
        for (i = 0; i < 3 * THREADS; i++) t3[i] = i * 2, x3[i] = 1ul << i;
    upc_barrier;
    bad += *table[0](t3, 2) != 4 || *(**table[1])(&t3[2], 1) != 2;
    bad += sa[THREADS - 1][3] != 4 * THREADS - 1 || *(*(sa + 0) + 2) != 2 || (*sa)[1] != 1;
    bad += x3[2] != 4 || sizeof x3[0] != 8 || upc_blocksizeof(x3) != 3 || upc_blocksizeof(h2) != 2;
    for (i = 0; i < THREADS; i++) bad += flags[i] != i + 1;
    d = 0;
    c = a;
    bad += c[1] != 1;
    e = a;
    bad += (e + 1) - a != 1;
    f = a;
    bad += f[2] != 2;
    if (MYTHREAD == 0) fp(&h[0], &t3[1], sizeof(int));
    upc_barrier;
    bad += h[0] != 2;
    bad += 2 [a] != 2 || *(a + 1) != 1 || (&a[3])[-1] != 2 || *&*&a[1] != 1 || -a[1] != -1 || !a[0] != 1 || ~a[1] != -2;
    bad += (a[1], a[2]) != 2 || (a ? 1 : 0) != 1 || (a && !0) != 1 || sizeof(a[0]) != 4 ||
           sizeof a != sizeof(shared int *);
    upc_barrier;
    if (MYTHREAD == 0) {
        a[1] <<= 3;
        a[1] |= 1;
        a[1] %= 5;
        a[2] = a[3] = a[0]++ + ++a[1];
        i = 2;
        a[i++] += i;
    }
    upc_barrier;
    bad += a[0] != 1 || a[1] != 5 || a[3] != 5 || (a[2] != 7 && a[2] != 8);
    if (bad) printf("%d: %d\n", MYTHREAD, bad);
    upc_barrier;
    if (!MYTHREAD && !bad) printf("done\n");
    return bad;
}
