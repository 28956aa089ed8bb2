/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.6.2: who runs which iteration of upc_forall, by affinities of every type. */
#include <stdint.h>
#include "check.h"

enum { N = 24 };
enum color { red, green, blue };
shared int cyclic[N * THREADS];
shared [5] double blocked[5 * N * THREADS];
shared [] char flat[N];
shared [3] struct cell { int n; char c[3]; } cells[3 * N * THREADS];
shared [4] int rows[N * THREADS][4];
shared int *shared [] pointers[N];

static int ran;  /* iterations of this thread */

/* Each iteration of the loop before was run by one thread. */
static void all_ran(int n)
{
    static shared int count[THREADS];
    int i, total = 0;
    count[MYTHREAD] = ran;
    upc_barrier;
    for (i = 0; i < THREADS; i++) total += count[i];
    CHECK(total == n);
    upc_barrier;
    ran = 0;
}

#define OWN(thread) (ran++, CHECK((thread) == MYTHREAD))

static void test_integers(void)
{
    int i;
    unsigned u;
    long l;
    uint64_t large;
    upc_forall (i = 0; i < N; i++; i) OWN(i % THREADS);
    CHECK(i == N);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; 3 * i + 1) OWN((3 * i + 1) % THREADS);
    all_ran(N);
    upc_forall (i = -N; i < 0; i++; i) OWN(((i % THREADS) + THREADS) % THREADS);
    all_ran(N);
    upc_forall (u = 4294967290u; u >= 4294967290u; u++; u) OWN(u % (unsigned)THREADS);
    all_ran(6);
    upc_forall (l = 5000000000; l < 5000000000 + N; l++; l) OWN(l % THREADS);
    all_ran(N);
    upc_forall (l = -5000000000; l < -5000000000 + N; l++; l) OWN(((l % THREADS) + THREADS) % THREADS);
    all_ran(N);
    upc_forall (large = UINT64_MAX - 5; large > 5; large++; large) OWN(large % (uint64_t)THREADS);
    all_ran(6);
    upc_forall (i = 0; i < N; i++; (unsigned char)(250 + i)) OWN((250 + i) % 256 % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; (enum color)(i % 3)) OWN(i % 3 % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; i > 3) OWN((i > 3) % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; ((__int128)1 << 70) + i)
        OWN((int)((((__int128)1 << 70) + i) % THREADS));
    all_ran(N);
    upc_forall (i = 0; i < N; i++; 2) OWN(2 % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; MYTHREAD) ran++;
    all_ran(N * THREADS);
    upc_forall (i = 0; i < N; i++; cyclic[i] + i) OWN(i % THREADS);
    all_ran(N);
}

static void test_pointers(void)
{
    shared [5] double *p;
    shared void *g;
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &cyclic[i]) OWN(upc_threadof(&cyclic[i]));
    all_ran(N * THREADS);
    upc_forall (i = 0; i < 5 * N; i++; &blocked[i]) OWN(i / 5 % THREADS);
    all_ran(5 * N);
    upc_forall (p = blocked; p < blocked + 5 * N; p++; p) OWN(upc_threadof(p));
    all_ran(5 * N);
    upc_forall (p = blocked + 3; p < blocked + 5 * N; p += 7; p - 1) OWN((p - 1 - blocked) / 5 % THREADS);
    all_ran((5 * N - 3 + 6) / 7);
    upc_forall (i = 0; i < N; i++; flat + i) OWN(0);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; &cells[i].c[2]) OWN(i / 3 % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; rows[i]) OWN(i % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; &rows[i]) OWN(i % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; (g = &cyclic[i + 1])) OWN((i + 1) % THREADS);
    all_ran(N);
    if (MYTHREAD == 0) for (i = 0; i < N; i++) pointers[i] = &cyclic[2 * i];
    upc_barrier;
    upc_forall (i = 0; i < N; i++; pointers[i]) OWN(2 * i % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; i % 2 ? &cyclic[i] : cyclic) OWN((i % 2 ? i : 0) % THREADS);
    all_ran(N);
    upc_forall (i = 0; i < N; i++; (shared int *)0) OWN(0);
    all_ran(N);
}

static void test_all(void)
{
    int i = 0;
    upc_forall (i = 0; i < N; i++; ) ran++;
    all_ran(N * THREADS);
    upc_forall (i = 0; i < N; i++; continue) ran++;
    all_ran(N * THREADS);
    i = 0;
    upc_forall (; i < N; ; continue) { ran++; i++; }
    all_ran(N * THREADS);
}

int main(void)
{
    test_integers();
    test_pointers();
    test_all();
    return finish();
}
