/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic updates of a table, atomic pointers-to-shared, explicit transfers in structures. */
#include <upc_strict.h>
#include "check.h"
#include <upc_atomic.h>
#include <upc_nb.h>
#include <upc_castable.h>
#include <stdint.h>
#define LT 6
#define TABLE (THREADS << LT)
typedef uint64_t u64;
shared u64 *Table;
shared [] u64 *shared parts[THREADS];
typedef struct {
    shared [] double *d;
    upc_handle_t h;
} xfer_t;
upc_atomicdomain_t *dom, *doms[3];
shared long ctr;
shared double fsum;
shared int *shared head;
int main(void)
{
    u64 i, ran = 1 + MYTHREAD, one = 1, old;
    xfer_t x[2];
    double b[8], c[8];
    long r, inc = 2;
    double half = .5;
    int k;
    Table = (shared u64 *)upc_all_alloc(TABLE, sizeof(u64));
    upc_forall(i = 0; i < TABLE; i++; i) Table[i] = i;
    upc_barrier;
    dom = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_XOR | UPC_ADD | UPC_GET, 0);
    for (i = 0; i < 200; i++) {
        ran = (ran << 1) ^ ((int64_t)ran < 0 ? 7 : 0);
        upc_atomic_relaxed(dom, NULL, UPC_XOR, &Table[ran & (TABLE - 1) % TABLE], &ran, 0);
    }
    ran = 1 + MYTHREAD;
    for (i = 0; i < 200; i++) {
        ran = (ran << 1) ^ ((int64_t)ran < 0 ? 7 : 0);
        upc_atomic_strict(dom, &old, UPC_XOR, &Table[ran & (TABLE - 1) % TABLE], &ran, NULL);
    }
    upc_barrier;
    upc_forall(i = 0; i < TABLE; i++; &Table[i]) CHECK(Table[i] == i);
    upc_all_atomicdomain_free(dom);
    (void)one;
    doms[0] = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_CSWAP | UPC_GET, 0);
    doms[1] = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, UPC_ATOMIC_HINT_LATENCY);
    doms[2] = upc_all_atomicdomain_alloc(UPC_PTS, UPC_SET | UPC_GET | UPC_CSWAP, 0);
    for (k = 0; k < 10; k++) {
        upc_atomic_strict(doms[0], &r, UPC_ADD, &ctr, &inc, 0);
        CHECK(r % 2 == 0);
        upc_atomic_relaxed(doms[1], 0, UPC_ADD, &fsum, &half, 0);
    }
    upc_barrier;
    CHECK(ctr == 20 * THREADS && fsum == 5. * THREADS);
    {
        shared int *mine = (shared int *)Table + MYTHREAD, *got;
        shared void *v;
        upc_atomic_strict(doms[2], 0, UPC_SET, &head, &mine, 0);
        upc_barrier;
        upc_atomic_strict(doms[2], &got, UPC_GET, &head, 0, 0);
        v = got;
        CHECK(got && upc_threadof(v) < THREADS && head == got);
    }
    for (k = 0; k < 3; k++) upc_all_atomicdomain_free(doms[k]);
    for (k = 0; k < 8; k++) b[k] = k;
    for (k = 0; k < 2; k++) {
        x[k].d = upc_alloc(sizeof b);
        x[k].h = upc_memput_nb(x[k].d, b, sizeof b);
    }
    for (k = 0; k < 2; k++) upc_sync(x[k].h);
    x[0].h = upc_memget_nb(c, x[1].d, sizeof c);
    while (!upc_sync_attempt(x[0].h))
        ;
    CHECK(c[7] == 7 && x[1].d[3] == 3);
    {
        double *l = upc_cast(x[0].d);
        CHECK(l && l[5] == 5);
    }
    upc_free(x[0].d);
    upc_free(x[1].d);
    upc_barrier;
    upc_all_free(Table);
    return finish();
}
