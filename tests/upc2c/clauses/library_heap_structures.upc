/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of structures in the shared heap. */
#include "check.h"
#define BLK 4
typedef struct {
    int a[3];
    char c;
} S;
int main(void)
{
    shared [BLK] S *p = (shared [BLK] S *)upc_all_alloc(2 * THREADS, BLK * sizeof(*p));
    shared [] S *q = upc_alloc(3 * sizeof *q), *q2 = q;
    shared S *r = upc_all_alloc(THREADS, sizeof(S));
    shared [2] char *c = upc_all_alloc((11 + 1) / 2 * THREADS, 2);
    int i;
    upc_forall(i = 0; i < 2 * BLK * THREADS; i++; p + i)
    {
        (p + i)->a[2] = i;
        p[i].c = 'a' + i;
        (*(p + i)).a[0] = -i;
    }
    for (i = 0; i < 3; i++) {
        q2->a[i] = i;
        q2++;
    }
    r[MYTHREAD] = q[1];
    upc_memset(c + 2 * MYTHREAD, 'z', 2);
    upc_barrier;
    for (i = 0; i < 2 * BLK * THREADS; i++) {
        CHECK(p[i].a[2] == i && (&p[i])->a[0] == -i);
        CHECK(upc_threadof(&p[i]) == i / BLK % THREADS);
        CHECK(&p[i].a[1] == p[i].a + 1 && upc_threadof(&p[i].a[1]) == upc_threadof(p + i));
    }
    CHECK(r[THREADS - 1].a[1] == 1 && c[2 * THREADS - 1] == 'z' && q2 - q == 3 && &q[3] == q2);
    upc_barrier;
    upc_free(q);
    upc_all_free(p);
    upc_all_free(r);
    upc_all_free(c);
    return finish();
}
