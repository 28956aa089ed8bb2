/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts between block sizes, to private pointers and between element types. */
#include "check.h"
shared [4] int a[8 * THREADS];
shared void *gv;
int main(void)
{
    shared [4] int *p4 = a + 5;
    shared [2] int *p2;
    shared [] int *pi;
    shared int *p1;
    shared char *pc;
    int *l;
    long n;
    upc_forall(n = 0; n < 8 * THREADS; n++; &a[n]) a[n] = n;
    upc_barrier;
    p2 = (shared [2] int *)p4;
    pi = (shared [] int *)p4;
    p1 = (shared int *)p4;
    pc = (shared char *)p4;
    CHECK(*p2 == 5 && *pi == 5 && *p1 == 5 && upc_phaseof(p2) == 0);
    CHECK(pi[1] == 6 && pi[2] == 7 && upc_threadof(pi + 2) == upc_threadof(p4));
    if (THREADS > 1) CHECK(p2[1] == 6);
    CHECK((shared [4] int *)(shared void *)p4 == p4);
    CHECK(upc_phaseof((shared [4] int *)(shared void *)p4) == 1);
    CHECK((shared void *)p4 == p4 && (shared void *)p1 == (shared void *)p2);
    CHECK(upc_threadof(pc) == upc_threadof(p4) && upc_addrfield(pc) == upc_addrfield(p4));
    l = (int *)&a[4 * MYTHREAD];
    CHECK(l[3] == 4 * MYTHREAD + 3);
    l = (int *)(a + 4 * MYTHREAD + 1);
    CHECK(*l == 4 * MYTHREAD + 1);
    CHECK(((int *)&a[4 * MYTHREAD])[4] == 4 * MYTHREAD + 4 * THREADS);
    CHECK(*(int *)&a[4 * MYTHREAD + 2] == 4 * MYTHREAD + 2);
    CHECK(((shared [1] int *)a)[0] == 0 && *(shared [3] int *)(a + 1) == 1);
    gv = &a[6];
    CHECK(*(shared [4] int *)gv == 6 && ((shared [4] int *)gv)[1] == 7);
    gv = 0;
    CHECK(!gv && gv == NULL && NULL == gv);
    CHECK((shared [4] int *)0 == NULL && (shared int *)(void *)0 == 0);
    n = (char *)(int *)&a[4 * MYTHREAD + 1] - (char *)&a[4 * MYTHREAD];
    CHECK(n == sizeof(int));
    {
        shared [] char *bytes = (shared [] char *)&a[1];
        CHECK(*(shared [] int *)bytes == 1);
        bytes += sizeof(int);
        CHECK(*(shared [] int *)bytes == 2);
    }
    {
        shared [4] int(*rows)[2] = (shared [4] int(*)[2])a;
        CHECK(rows[1][1] == 3 && rows[3][1] == 7);
    }
    return finish();
}
