/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers to pointers-to-shared, shared pointers to private, tables of rows. */
#include "check.h"
#include <stdlib.h>
shared int x[4 * THREADS];
shared int *shared sp[THREADS];
shared int *shared *shared spp;
int *shared privs[THREADS];
shared [] int *shared rows[2 * THREADS];
shared [] double *dir[8];
static int deref3(shared int ****p) { return ****p; }
static void set(shared int **p, shared int *v) { *p = v; }
static shared int *shared *get(int i) { return &sp[i]; }
int main(void)
{
    shared int *p = &x[1], **pp = &p, ***ppp = &pp, ****pppp = &ppp;
    int i, mine = MYTHREAD * 7, j;
    shared [] int *shared *rp;
    shared int *(*parr)[3], *arr3[3] = {x, &x[1], &x[2]};
    parr = &arr3;
    upc_forall(i = 0; i < 4 * THREADS; i++; i) x[i] = i * i;
    sp[MYTHREAD] = &x[MYTHREAD + 1];
    privs[MYTHREAD] = &mine;
    if (!MYTHREAD) spp = &sp[0];
    rows[MYTHREAD] = upc_alloc(5 * sizeof(int));
    rows[MYTHREAD + THREADS] = upc_alloc(3 * sizeof(int));
    for (j = 0; j < 5; j++) rows[MYTHREAD][j] = 10 * MYTHREAD + j;
    for (j = 0; j < 3; j++) rows[MYTHREAD + THREADS][j] = -j;
    upc_barrier;
    CHECK(deref3(pppp) == 1);
    set(pp, x + 3);
    CHECK(*p == 9 && **pp == 9 && pp[0][0] == 9 && (*pp)[-1] == 4);
    CHECK((*parr)[2] == &x[2] && *(*parr)[1] == 1 && **parr[0] == 0);
    CHECK(*sp[THREADS - 1] == THREADS * THREADS && **spp == 1 && *spp[THREADS - 1] == THREADS * THREADS);
    CHECK(**get(THREADS - 1) == THREADS * THREADS);
    CHECK(*privs[MYTHREAD] == 7 * MYTHREAD);
    for (i = 0, rp = rows; i < THREADS; i++, rp++) {
        CHECK((*rp)[4] == 10 * i + 4);
        CHECK(rows[i + THREADS][2] == -2);
        CHECK(upc_threadof(*rp) == (size_t)i);
        CHECK(rp[THREADS][2] == -2);
    }
    for (i = 0; i < 8; i++) CHECK(dir[i] == NULL);
    {
        shared [] int **t = malloc(THREADS * sizeof *t);
        for (i = 0; i < THREADS; i++) t[i] = rows[i];
        CHECK(t[THREADS - 1][1] == 10 * (THREADS - 1) + 1);
        free(t);
    }
    upc_barrier;
    upc_free(rows[MYTHREAD]);
    upc_free(rows[MYTHREAD + THREADS]);
    return finish();
}
