/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static shared data as translated C sets it up: proxies, allocation with both lengths of descriptors,
 * initial values of arrays against a plain loop over all elements.
 */
#include "tests/spmd/spmd.h"

static upcr_pshared_ptr_t scalar;                                /* shared int scalar; */
static upcr_pshared_ptr_t scalar_set = UPCR_INITIALIZED_PSHARED; /* shared int scalar_set = 5; */
static upcr_pshared_ptr_t cyclic;                                /* shared int cyclic[3 * THREADS]; */
static upcr_shared_ptr_t blocked;                                /* shared [4] int blocked[4 * 5]; */
static upcr_shared_ptr_t blocked_set = UPCR_INITIALIZED_SHARED;
static upcr_pshared_ptr_t indefinite; /* shared [] char indefinite[1000000]; */
static upcr_shared_ptr_t large;       /* shared [1024] int large[1024 * 256 * THREADS]; */

static __thread upcr_thread_t me, threads;

/* An int of an array with this block size (0: indefinite). */
static upcr_shared_ptr_t element(upcr_shared_ptr_t base, size_t i, size_t block) {
    size_t t = block == 0 ? 0 : i / block % threads;
    size_t at = block == 0 ? i : i / block / threads * block + i % block;
    return spmd_part(base, (upcr_thread_t)t, at * 4);
}

/* Fills the heap with bytes that are not 0 and frees it, so that the next objects are in used memory. */
static void dirty_the_heap(void) {
    upcr_shared_ptr_t own = upcr_alloc(1 << 20), common = upcr_all_alloc(2 * threads, 1 << 20);
    upcr_memset(own, 0xff, 1 << 20);
    upcr_memset(spmd_part(common, me, 0), 0xff, 1 << 20);
    spmd_barrier();
    upcr_free(own);
    upcr_all_free(common);
    spmd_barrier();
}

static void allocate(void) {
    upcr_startup_pshalloc_t short_infos[] = {
        /* as translators before 3.8 write them */
        {&scalar, 4, 1, 0},
        {&scalar_set, 4, 1, 0},
        {&cyclic, 4, 3, 1},
    };
    upcr_startup_shalloc_t infos[] = {
        {&blocked, 16, 5, 0, 4, "blocked", "A20_i"},
        {&blocked_set, 16, 5, 0, 4, "blocked_set", "A20_i"},
        {&large, 4096, 256, 1, 4, "large", ""},
    };
    upcr_startup_pshalloc_t long_infos[] = {{&indefinite, 1000000, 1, 0, 1, "indefinite", ""}};
    upcr_pshared_ptr_t first_scalar, first_large;
    int again;
    upcr_startup_pshalloc(short_infos, 3);
    upcr_startup_shalloc(infos, 3);
    upcr_startup_pshalloc(long_infos, 1);
    first_scalar = scalar;
    first_large = upcr_shared_to_pshared(large);
    for (again = 0; again < 20; ++again) { /* the same variables, declared in other files too */
        upcr_startup_shalloc(infos, 3);
        upcr_startup_pshalloc(short_infos, 3);
    }
    SPMD_CHECK(upcr_isequal_pshared_pshared(scalar, first_scalar));
    SPMD_CHECK(upcr_isequal_shared_pshared(large, first_large));
    SPMD_CHECK(!upcr_isequal_pshared_pshared(scalar, scalar_set));
    SPMD_EQ(upcr_threadof_pshared(scalar), 0);
    SPMD_EQ(upcr_threadof_shared(blocked), 0);
    SPMD_EQ(upcr_phaseof_shared(blocked), 0);
}

static void check_zero(upcr_shared_ptr_t p, size_t bytes) {
    size_t i;
    for (i = 0; i + 8 <= bytes; i += 8) SPMD_EQ(upcr_get_shared_val(spmd_part(p, me, i), 0, 8), 0);
}

static void cleared(void) {
    spmd_barrier();
    check_zero(upcr_pshared_to_shared(cyclic), 12);
    check_zero(blocked, (5 + threads - 1) / threads * 16);
    check_zero(large, 4096 * 256);
    if (me == 0) check_zero(upcr_pshared_to_shared(indefinite), 1000000);
    SPMD_EQ(upcr_get_pshared_val(scalar, 0, 4), 0);
    spmd_barrier();
}

/* The expected value of element number i of an array with these dimensions. */
static int expected(const int *src, const upcr_startup_arrayinit_diminfo_t *dims, size_t count, size_t i) {
    size_t d, at = 0, scale = 1;
    for (d = count; d-- > 0;) {
        const size_t extent = dims[d].shared_elems * (dims[d].mult_by_threads ? threads : 1),
                     index = i % extent;
        if (index >= dims[d].local_elems) return 0;
        at += index * scale;
        scale *= dims[d].local_elems;
        i /= extent;
    }
    return src == NULL ? 0 : src[at];
}

static void array(const upcr_startup_arrayinit_diminfo_t *dims, size_t count, size_t block, int phaseless) {
    int src[4 * 5 * 3], pass;
    size_t i, d, total = 1;
    upcr_shared_ptr_t p;
    for (i = 0; i < sizeof src / sizeof *src; ++i) src[i] = (int)(1000 + i);
    for (d = 0; d < count; ++d) total *= dims[d].shared_elems * (dims[d].mult_by_threads ? threads : 1);
    p = block == 0 ? upcr_all_alloc(1, total * 4) : upcr_all_alloc((total + block - 1) / block, block * 4);
    for (pass = 0; pass < 2; ++pass) { /* with an initialiser, without */
        int *from = pass == 0 ? src : NULL;
        upcr_startup_arrayinit_diminfo_t *info = (upcr_startup_arrayinit_diminfo_t *)(uintptr_t)dims;
        if (phaseless)
            upcr_startup_initparray(upcr_shared_to_pshared(p), from, info, count, 4, block);
        else
            upcr_startup_initarray(p, from, info, count, 4, block);
        spmd_barrier();
        for (i = 0; i < total; ++i)
            SPMD_EQ((int)upcr_get_shared_val(element(p, i, block), 0, 4), expected(from, dims, count, i));
        spmd_barrier();
    }
    upcr_all_free(p);
}

static void arrays(void) {
    const upcr_startup_arrayinit_diminfo_t one[] = {{7, 11, 0}}, full[] = {{12, 12, 0}},
                                           times[] = {{3, 2, 1}}, two[] = {{2, 3, 0}, {4, 5, 0}},
                                           two_times[] = {{2, 2, 1}, {5, 7, 0}},
                                           three[] = {{4, 4, 0}, {5, 6, 1}, {3, 3, 0}};
    const size_t blocks[] = {1, 2, 3, 5, 100, 0};
    size_t b;
    for (b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
        const int phaseless = blocks[b] <= 1;
        array(one, 1, blocks[b], phaseless);
        array(full, 1, blocks[b], phaseless);
        array(times, 1, blocks[b], phaseless);
        array(two, 2, blocks[b], phaseless);
        array(two_times, 2, blocks[b], phaseless);
        array(three, 3, blocks[b], phaseless);
    }
}

static void run(void) {
    me = upcr_mythread();
    threads = upcr_threads();
    dirty_the_heap();
    allocate();
    cleared();
    arrays();
}

SPMD_MAIN(run)
