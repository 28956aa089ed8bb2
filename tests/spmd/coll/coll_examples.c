/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The examples of UPC 1.3 7.4.2, as a translator would write them in C, each with the number of its section.
 * Where an example has a slip, the comment says what is meant (docs/reference/seeds.md lists them).
 */
#include "tests/spmd/spmd.h"

enum { NELEMS = 10 };
#define NOSYNC (UPCRI_IN_NOSYNC | UPCRI_OUT_NOSYNC)
#define ALLSYNC (UPCRI_IN_ALLSYNC | UPCRI_OUT_ALLSYNC)

static __thread size_t me, threads;

/* Element i of an array of int in blocks of `block`; block 0: all on one thread. */
static int get(upcr_shared_ptr_t array, size_t i, size_t block) {
    if (block == 0) return (int)upcr_get_shared_val(array, (ptrdiff_t)(i * sizeof(int)), sizeof(int));
    return (int)upcr_get_shared_val(upcr_add_shared(array, sizeof(int), (ptrdiff_t)i, block), 0, sizeof(int));
}
static upcr_shared_ptr_t element(upcr_shared_ptr_t array, size_t i, size_t block) {
    return upcr_add_shared(array, sizeof(int), (ptrdiff_t)i, block);
}
/* This thread's part of an array, n ints, set to f(0), f(1), ... with f(i) = start + i. */
static void set_mine(upcr_shared_ptr_t array, size_t n, int start) {
    int *const p = (int *)upcr_shared_to_local(spmd_part(array, (upcr_thread_t)me, 0));
    for (size_t i = 0; i < n; ++i) p[i] = start + (int)i;
}
static void expect(upcr_shared_ptr_t array, size_t i, size_t block, size_t want) {
    SPMD_EQ(get(array, i, block), want);
}

/* shared int A[THREADS], B[THREADS]: A[1] to all of B. */
static void broadcast_7_4_2_1_example_1(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, sizeof(int)),
                            B = upcr_all_alloc(threads, sizeof(int));
    set_mine(A, 1, (int)(100 + me));
    spmd_barrier();
    bupc_all_broadcast(B, element(A, 1, 1), sizeof(int), NOSYNC);
    spmd_barrier();
    for (size_t t = 0; t < threads; ++t) expect(B, t, 1, 101);
}

/* shared [] int A[NELEMS]; shared [NELEMS] int B[NELEMS*THREADS]. */
static void broadcast_7_4_2_1_example_2(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(1, NELEMS * sizeof(int)),
                            B = upcr_all_alloc(threads, NELEMS * sizeof(int));
    if (me == 0) set_mine(A, NELEMS, 5);
    bupc_all_broadcast(B, A, sizeof(int) * NELEMS, ALLSYNC);
    for (size_t i = 0; i < NELEMS * threads; ++i) expect(B, i, NELEMS, 5 + i % NELEMS);
    spmd_barrier();
}

/* (A[3], A[4]) to (B[0], B[1]), (B[10], B[11]), ...; the rest of B stays. */
static void broadcast_7_4_2_1_example_3(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, NELEMS * sizeof(int)),
                            B = upcr_all_alloc(threads, NELEMS * sizeof(int));
    set_mine(A, NELEMS, (int)(1000 * me));
    set_mine(B, NELEMS, -1);
    spmd_barrier();
    bupc_all_broadcast(B, element(A, 3, NELEMS), sizeof(int) * 2, NOSYNC);
    spmd_barrier();
    for (size_t t = 0; t < threads; ++t) {
        expect(B, NELEMS * t, NELEMS, 3);
        expect(B, NELEMS * t + 1, NELEMS, 4);
        expect(B, NELEMS * t + 2, NELEMS, 1);
    }
}

/* The row of thread 1. Slip: srcA is declared under another name, and i is not declared. */
static void scatter_7_4_2_2_example_1(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, threads * NELEMS * sizeof(int)),
                            B = upcr_all_alloc(threads, NELEMS * sizeof(int));
    set_mine(A, NELEMS * threads, (int)(NELEMS * threads * me));
    spmd_barrier();
    bupc_all_scatter(B, element(A, 1, 1), sizeof(int) * NELEMS, NOSYNC);
    spmd_barrier();
    for (size_t i = 0; i < NELEMS * threads; ++i) expect(B, i, NELEMS, NELEMS * threads + i);
}

static void scatter_7_4_2_2_example_2(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(1, NELEMS * threads * sizeof(int)),
                            B = upcr_all_alloc(threads, NELEMS * sizeof(int));
    if (me == 0) set_mine(A, NELEMS * threads, 7);
    bupc_all_scatter(B, A, sizeof(int) * NELEMS, ALLSYNC);
    for (size_t i = 0; i < NELEMS * threads; ++i) expect(B, i, NELEMS, 7 + i);
    spmd_barrier();
}

/* Example 1 has static arrays, example 2 allocates B. */
static void gather_7_4_2_3(int flags) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, NELEMS * sizeof(int)),
                            B = upcr_all_alloc(1, NELEMS * threads * sizeof(int));
    set_mine(A, NELEMS, (int)(NELEMS * me));
    if (flags == NOSYNC) spmd_barrier();
    bupc_all_gather(B, A, sizeof(int) * NELEMS, flags);
    if (flags == NOSYNC) spmd_barrier();
    for (size_t i = 0; i < NELEMS * threads; ++i) expect(B, i, 0, i);
    spmd_barrier();
}

static void gather_all_7_4_2_4_example_1(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, NELEMS * sizeof(int)),
                            B = upcr_all_alloc(threads, NELEMS * threads * sizeof(int));
    set_mine(A, NELEMS, (int)(NELEMS * me));
    spmd_barrier();
    bupc_all_gather_all(B, A, sizeof(int) * NELEMS, NOSYNC);
    spmd_barrier();
    for (size_t t = 0; t < threads; ++t)
        for (size_t i = 0; i < NELEMS * threads; ++i)
            expect(B, t * NELEMS * threads + i, NELEMS * threads, i);
}

/* myB, a thread's own row, begins at element MYTHREAD of Bdata, which is cyclic. */
static void gather_all_7_4_2_4_example_2(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, NELEMS * sizeof(int)),
                            Bdata = upcr_all_alloc(threads * threads, NELEMS * sizeof(int)),
                            myB = element(Bdata, me, 1);
    set_mine(A, NELEMS, (int)(NELEMS * me));
    bupc_all_gather_all(Bdata, A, NELEMS * sizeof(int), ALLSYNC);
    for (size_t i = 0; i < NELEMS * threads; ++i) expect(myB, i, 0, i);
    spmd_barrier();
}

static void exchange_7_4_2_5_example_1(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, NELEMS * threads * sizeof(int)),
                            B = upcr_all_alloc(threads, NELEMS * threads * sizeof(int));
    set_mine(A, NELEMS * threads, (int)(1000 * me));
    spmd_barrier();
    bupc_all_exchange(B, A, NELEMS * sizeof(int), NOSYNC);
    spmd_barrier();
    for (size_t i = 0; i < threads; ++i)
        for (size_t j = 0; j < threads; ++j) /* block i of A[j] is block j of B[i] */
            for (size_t k = 0; k < NELEMS; ++k)
                expect(B, (i * threads + j) * NELEMS + k, NELEMS * threads, 1000 * j + NELEMS * i + k);
}

static void exchange_7_4_2_5_example_2(void) {
    const upcr_shared_ptr_t Adata = upcr_all_alloc(threads * threads, NELEMS * sizeof(int)),
                            Bdata = upcr_all_alloc(threads * threads, NELEMS * sizeof(int)),
                            myB = element(Bdata, me, 1);
    set_mine(Adata, NELEMS * threads, (int)(me * 10));
    bupc_all_exchange(Bdata, Adata, NELEMS * sizeof(int), ALLSYNC);
    for (size_t j = 0; j < threads; ++j)
        for (size_t k = 0; k < NELEMS; ++k) expect(myB, j * NELEMS + k, 0, j * 10 + me * NELEMS + k);
    spmd_barrier();
}

static void permute_7_4_2_6_example_1(void) {
    const upcr_shared_ptr_t A = upcr_all_alloc(threads, NELEMS * sizeof(int)),
                            B = upcr_all_alloc(threads, NELEMS * sizeof(int)),
                            P = upcr_all_alloc(threads, sizeof(int));
    set_mine(A, NELEMS, (int)(100 * me));
    set_mine(P, 1, (int)(threads - 1 - me));
    spmd_barrier();
    bupc_all_permute(B, A, upcr_shared_to_pshared(P), sizeof(int) * NELEMS, NOSYNC);
    spmd_barrier();
    for (size_t t = 0; t < threads; ++t)
        for (size_t k = 0; k < NELEMS; ++k) expect(B, t * NELEMS + k, NELEMS, 100 * (threads - 1 - t) + k);
}

static void run(void) {
    me = upcr_mythread();
    threads = upcr_threads();
    if (threads > 1) broadcast_7_4_2_1_example_1(); /* there is an A[1] */
    broadcast_7_4_2_1_example_2();
    broadcast_7_4_2_1_example_3();
    if (threads > 1) scatter_7_4_2_2_example_1();
    scatter_7_4_2_2_example_2();
    gather_7_4_2_3(ALLSYNC); /* example 1 */
    gather_7_4_2_3(NOSYNC);  /* example 2 */
    gather_all_7_4_2_4_example_1();
    gather_all_7_4_2_4_example_2();
    exchange_7_4_2_5_example_1();
    exchange_7_4_2_5_example_2();
    permute_7_4_2_6_example_1();
}

SPMD_MAIN(run)
