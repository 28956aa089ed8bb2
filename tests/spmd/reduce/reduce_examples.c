/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The examples of UPC 1.3 7.4.3.1 as a translator writes them: static arrays, the names of UPC. Corrected: the
 * first one's B points nowhere, and its result, said to be defined on thread 0 only, is never set; here B is one
 * long and thread 0 reads it.
 */
#include "tests/spmd/spmd.h"
#include "upcr_preinclude/upc_collective_bits.h"

#define BLK_SIZE 3
#define NELEMS 10

static upcr_shared_ptr_t A, B;
static upcr_pshared_ptr_t one;

/* shared [BLK_SIZE] long A[NELEMS*THREADS]; */
static void allocate(void) {
    const size_t blocks = (NELEMS * (size_t)upcr_threads() + BLK_SIZE - 1) / BLK_SIZE;
    upcr_startup_shalloc_t arrays[] = {{&A, BLK_SIZE * sizeof(long), 0, 0, sizeof(long), "A", "R1h3_A10H_l"},
                                       {&B, BLK_SIZE * sizeof(long), 0, 0, sizeof(long), "B", "R1h3_A10H_l"}};
    upcr_startup_pshalloc_t scalars[] = {{&one, sizeof(long), 1, 0, sizeof(long), "one", "R1_l"}};
    arrays[0].numblocks = arrays[1].numblocks = blocks;
    upcr_startup_shalloc(arrays, 2);
    upcr_startup_pshalloc(scalars, 1);
}

/* Initialize A: each thread what is its own. */
static void initialize(void) {
    const int n = NELEMS * (int)upcr_threads();
    int i;
    for (i = 0; i < n; ++i) {
        const upcr_shared_ptr_t p = upcr_add_shared(A, sizeof(long), i, BLK_SIZE);
        if (upcr_hasMyAffinity_shared(p))
            upcr_put_shared_val(p, 0, (upcr_register_value_t)(i - 7L), sizeof(long));
    }
}

/* 7.4.3.1 EXAMPLE 1: upc_all_reduce of type long, UPC_ADD. */
static void example_1(void) {
    const long n = NELEMS * (long)upcr_threads();
    const upcr_shared_ptr_t result = upcr_pshared_to_shared(one);
    initialize();
    upcr_barrier(0, 1);
    upc_all_reduceL(result, A, UPC_ADD, NELEMS * upcr_threads(), BLK_SIZE, NULL,
                    UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upcr_barrier(0, 1);
    if (upcr_mythread() == 0)
        SPMD_EQ((long)upcr_get_shared_val(result, 0, sizeof(long)), n * (n - 1) / 2 - 7 * n);
    upcr_barrier(0, 1);
}

/* 7.4.3.1 EXAMPLE 2: upc_all_prefix_reduce of type long, UPC_ADD. */
static void example_2(void) {
    const long n = NELEMS * (long)upcr_threads();
    long i;
    initialize();
    upc_all_prefix_reduceL(B, A, UPC_ADD, NELEMS * upcr_threads(), BLK_SIZE, NULL,
                           UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (i = 0; i < n; ++i)
        SPMD_EQ((long)upcr_get_shared_val(upcr_add_shared(B, sizeof(long), i, BLK_SIZE), 0, sizeof(long)),
                (i + 1) * i / 2 - 7 * (i + 1));
}

static void run(void) {
    allocate();
    example_1();
    example_2();
}

SPMD_MAIN(run)
