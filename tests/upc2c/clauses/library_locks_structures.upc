/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks in structures, shared structures, arrays and pointers to pointers. */
#include "check.h"
struct bank {
    upc_lock_t *lock;
    shared int *total;
    int n;
};
shared struct {
    upc_lock_t *l;
    int v;
} prot[THREADS];
upc_lock_t *shared gl;
upc_lock_t *table[4];
shared int total;
static upc_lock_t *mk(void) { return upc_all_lock_alloc(); }
static int with(upc_lock_t *l, int (*fn)(void))
{
    int r;
    upc_lock(l);
    r = fn();
    upc_unlock(l);
    return r;
}
static int bump(void) { return total++; }
int main(void)
{
    struct bank b = {mk(), &total, 0};
    int i, k;
    upc_lock_t **pl = &b.lock;
    for (i = 0; i < 4; i++) table[i] = upc_all_lock_alloc();
    prot[MYTHREAD].l = upc_global_lock_alloc();
    if (!MYTHREAD) gl = upc_global_lock_alloc();
    upc_barrier;
    for (i = 0; i < 20; i++) {
        upc_lock(b.lock);
        ++*b.total;
        upc_unlock(*pl);
    }
    for (i = 0; i < THREADS; i++) {
        upc_lock(prot[i].l);
        prot[i].v += MYTHREAD + 1;
        upc_unlock(prot[i].l);
    }
    for (k = 0; k < 10; k++) with(gl, bump), with(gl, bump);
    upc_barrier;
    for (i = 0; i < THREADS; i++) CHECK(prot[i].v == THREADS * (THREADS + 1) / 2);
    CHECK(gl != NULL && gl == gl && table[1] != table[2] && table[0]);
    upc_barrier;
    if (!MYTHREAD) {
        CHECK(upc_lock_attempt(gl) == 1);
        upc_unlock(gl);
        upc_lock_free(gl);
        total = 0;
    }
    upc_lock_free(prot[MYTHREAD].l);
    upc_all_lock_free(b.lock);
    for (i = 0; i < 4; i++) upc_all_lock_free(table[i]);
    return finish();
}
