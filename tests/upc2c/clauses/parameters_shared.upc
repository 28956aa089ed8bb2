/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters and results of pointer-to-shared type in every form that C has. */
#include "check.h"
shared [4] int a[4 * THREADS];
shared [] int f[12];
shared int m[THREADS][10];
shared [6] int m2[THREADS][2][3];
static int s1(shared [4] int *p) { return p[1]; }
static int s2(shared [4] int p[]) { return p[1]; }
static int s3(shared [4] int p[4 * 4]) { return upc_blocksizeof(*p) == 4 ? p[1] : -1; }
/* Prototypes without names. */
static int s4(shared int (*)[10]), s5(shared int((*))[10]), s13(int (*)(shared [4] int((*))), shared [4] int((*)));
static int s4(shared int p[][10]) { return p[0][3]; }
static int s5(shared int (*p)[10]) { return (*p)[3]; }
static int s6(shared [6] int p[][2][3]) { return p[0][1][2]; }
static int s7(int shared p[const 5]) { return p[0]; }
static int s8(const shared [] int *const restrict p) { return p[2]; }
static int s9(int n, shared [] int p[n][3]) { return p[1][1]; }
static int s10(p, n) shared [4] int *p;
int n;
{
    return p[n];
}
static int s11(shared void *p) { return (int)upc_phaseof(p); }
static int s12(shared [] int p[static 3]) { return p[2]; }
static int s13(int (*fn)(shared [4] int *), shared [4] int *p) { return fn(p); }
static int s14(int fn(shared [4] int[]), shared [4] int *p) { return fn(p); }
static shared [4] int *r1(int i) { return &a[i]; }
static shared [4] int *(*r2(int i))(int)
{
    (void)i;
    return r1;
}
static shared int (*r3(void))[10] { return m; }
static int s15(const strict shared [4] int *p, ...) { return *p; }
int (*table[])(shared [4] int *) = {s1, s2, s3};
int main(void)
{
    int i, j;
    upc_forall(i = 0; i < 4 * THREADS; i++; &a[i]) a[i] = i;
    if (!MYTHREAD)
        for (i = 0; i < 12; i++) f[i] = i;
    for (j = 0; j < 10; j++) m[MYTHREAD][j] = 10 * MYTHREAD + j;
    for (j = 0; j < 6; j++) m2[MYTHREAD][j / 3][j % 3] = j;
    upc_barrier;
    CHECK(s1(a) == 1 && s2(a) == 1 && s3(a) == 1);
    CHECK(s4(m) == 3 && s5(m) == 3 && s5(&m[THREADS - 1]) == 10 * (THREADS - 1) + 3 && s6(m2) == 5);
    CHECK(s7(m[0]) == 0 && s8(f) == 2 && s8(&f[3]) == 5 && s10(a, 3) == 3);
    CHECK(s9(4, (shared [] int(*)[3])f) == 4);
    CHECK(s11(&a[2]) == 2 && s11(f + 5) == 0 && s11(0) == 0 && s12(f) == 2);
    CHECK(s13(s1, a + 1) == 2 && s14(s2, a + 1) == 2 && s13(&s1, a) == 1);
    CHECK(*r1(2) == 2 && *r2(0)(3) == 3 && (*r2(0))(1)[1] == 2 && r3()[0][4] == 4);
    CHECK(s15(a + 3, 1, 2.) == 3);
    for (i = 0; i < 3; i++) CHECK(table[i](a) == 1);
    return finish();
}
