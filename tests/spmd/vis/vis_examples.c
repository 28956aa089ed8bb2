/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The examples of LBNL-56495 v2.0, under its names, each with the number of its section. docs/reference/seeds.md lists
 * errors of the text; the examples here are as intended. UPC code (shared arrays) is written in upcr's C.
 * With fewer than two threads, neighbours and "thread 1" are thread 0.
 */
#define BUPC_USE_UPC_NAMESPACE 1
#include "tests/spmd/spmd.h"

enum { BLKSZ = 100 };

/* shared [BLKSZ] double A[blocks * BLKSZ]: element i holds 1000 + i. Collective. */
typedef struct {
    upcr_shared_ptr_t base;
    size_t elements;
} array_t;
static upcr_shared_ptr_t element(const array_t *a, size_t i) {
    return upcr_add_shared(a->base, sizeof(double), (ptrdiff_t)i, BLKSZ);
}
static array_t make_array(size_t elements) {
    array_t a = {upcr_all_alloc((elements + BLKSZ - 1) / BLKSZ, BLKSZ * sizeof(double)), elements};
    for (size_t i = 0; i < elements; ++i)
        if (upcr_threadof_shared(element(&a, i)) == upcr_mythread())
            upcr_put_shared_doubleval(element(&a, i), 0, 1000. + (double)i);
    spmd_barrier();
    return a;
}
/* In an indefinitely blocked array of doubles. */
static upcr_shared_ptr_t behind(upcr_shared_ptr_t p, ptrdiff_t elements) {
    return upcr_pshared_to_shared(upcr_add_psharedI(upcr_shared_to_pshared(p), sizeof(double), elements));
}
static void is_element(double got, size_t i) {
    if (got != 1000. + (double)i) SPMD_FAIL("%g instead of element %zu", got, i);
}

/* Neighbours in a ring, so that every thread has both. */
static size_t left(void) { return (upcr_mythread() + upcr_threads() - 1) % upcr_threads(); }
static size_t right(void) { return (upcr_mythread() + 1) % upcr_threads(); }
static void check_neighbours(const double *l, const double *r) {
    for (size_t i = 0; i < BLKSZ; ++i) {
        is_element(l[i], BLKSZ * left() + i);
        is_element(r[i], BLKSZ * right() + i);
    }
}

static void section_2_3_explicit_handles(const array_t *a, double *l, double *r) {
    upc_handle_t left_handle = UPC_COMPLETE_HANDLE, right_handle = UPC_COMPLETE_HANDLE;
    left_handle = upc_memget_async(l, element(a, BLKSZ * left()), BLKSZ * sizeof(double));
    right_handle = upc_memget_async(r, element(a, BLKSZ * right()), BLKSZ * sizeof(double));
    upc_waitsync(left_handle);
    upc_waitsync(right_handle);
    check_neighbours(l, r);
}

static void section_3_2_implicit_handles(const array_t *a, double *l, double *r) {
    upc_memget_asynci(l, element(a, BLKSZ * left()), BLKSZ * sizeof(double));
    upc_memget_asynci(r, element(a, BLKSZ * right()), BLKSZ * sizeof(double));
    upc_waitsynci();
    check_neighbours(l, r);
}

static void section_4_1_access_region(const array_t *a, double *l, double *r) {
    upc_handle_t handle;
    upc_begin_accessregion();
    upc_memget_asynci(l, element(a, BLKSZ * left()), BLKSZ * sizeof(double));
    upc_memget_asynci(r, element(a, BLKSZ * right()), BLKSZ * sizeof(double));
    handle = upc_end_accessregion();
    upc_waitsync(handle);
    check_neighbours(l, r);
}

/*
 * More operations in a region, an explicit one among them that does not belong to it. The neighbours read the first ten
 * elements meanwhile, so the others are written.
 */
static void section_4_1_more_in_the_region(const array_t *a) {
    double got[10], other = 0, mine[BLKSZ];
    upc_handle_t h2, handle;
    const size_t first = BLKSZ * upcr_mythread();
    spmd_barrier();
    for (size_t i = 0; i < BLKSZ; ++i) mine[i] = 1000. + (double)(first + i); /* the same again */
    upc_begin_accessregion();
    upc_memput_asynci(element(a, first + 10), mine + 10, sizeof mine - 10 * sizeof mine[0]);
    for (size_t i = 0; i < 10; ++i) {
        upc_memget_asynci(&got[i], element(a, BLKSZ * right() + i), sizeof(double));
        h2 = upc_memget_async(&other, element(a, BLKSZ * left() + i), sizeof(double));
        upc_waitsync(h2);
        is_element(other, BLKSZ * left() + i);
    }
    handle = upc_end_accessregion();
    upc_waitsync(handle);
    for (size_t i = 0; i < 10; ++i) is_element(got[i], BLKSZ * right() + i);
}

/* Single elements, a group and a whole block of several threads, into one private buffer. */
static void section_5_2_memget_vlist(const array_t *a) {
    double mybuf[2 + 3 + BLKSZ];
    upc_pmemvec_t dst[] = {{mybuf, sizeof mybuf}};
    upc_smemvec_t src[4];
    size_t at = 0;
    const size_t starts[] = {5, 12, 14, 100}, counts[] = {1, 1, 3, BLKSZ};
    for (size_t i = 0; i < 4; ++i) {
        src[i].addr = element(a, starts[i]);
        src[i].len = counts[i] * sizeof(double);
    }
    upc_memget_vlist(1, dst, 4, src);
    for (size_t i = 0; i < 4; ++i)
        for (size_t k = 0; k < counts[i]; ++k) is_element(mybuf[at++], starts[i] + k);
}

static void section_5_3_memget_ilist(const array_t *a) {
    const size_t wanted[] = {14, 15, 16, 100, 110};
    upcr_shared_ptr_t srclist[5];
    double mybuf[5];
    void *dstlist[] = {&mybuf};
    for (size_t i = 0; i < 5; ++i) srclist[i] = element(a, wanted[i]);
    upc_memget_ilist(1, dstlist, 5 * sizeof(double), 5, srclist, sizeof(double));
    for (size_t i = 0; i < 5; ++i) is_element(mybuf[i], wanted[i]);
}

/* Figure 1: five chunks of four elements from ten of two, inside one array of one thread. */
static void section_6_1_memcpy_fstrided(void) {
    enum { ROWS = 12, COLUMNS = 8 };
    double before[ROWS][COLUMNS], after[ROWS][COLUMNS];
    size_t from = 0;
    const upcr_shared_ptr_t a = upcr_alloc(sizeof before);
    for (size_t r = 0; r < ROWS; ++r)
        for (size_t c = 0; c < COLUMNS; ++c) before[r][c] = (double)(10 * r + c);
    upcr_memput(a, before, sizeof before);
    upc_memcpy_fstrided(behind(a, 2 * COLUMNS + 4), 4 * sizeof(double), 8 * sizeof(double), 5,
                        behind(a, COLUMNS + 1), 2 * sizeof(double), 8 * sizeof(double), 10);
    for (size_t r = 2; r < 7; ++r)
        for (size_t c = 4; c < 8; ++c, ++from) before[r][c] = before[1 + from / 2][1 + from % 2];
    upcr_memget(after, a, sizeof after);
    SPMD_CHECK(memcmp(before, after, sizeof before) == 0);
    upcr_free(a);
}

/* Figure 2: a block of 2 x 3 x 4 from (5, 6, 7) of a private array to (8, 9, 10) of a shared one. */
static void section_6_2_memput_strided(void) {
    static _Thread_local double A[11][12][13], got[14][15][16];
    double(*B)[15][16] = calloc(1, sizeof got);
    size_t srcstrides[2], dststrides[2], count[3];
    const upcr_shared_ptr_t b = spmd_alloc(sizeof got), there = spmd_part(b, (upcr_thread_t)right(), 0);
    for (size_t i = 0; i < 11 * 12 * 13; ++i) (&A[0][0][0])[i] = (double)(i + 1);
    srcstrides[0] = 13 * sizeof(double);
    srcstrides[1] = 12 * 13 * sizeof(double);
    dststrides[0] = 16 * sizeof(double);
    dststrides[1] = 15 * 16 * sizeof(double);
    count[0] = 4 * sizeof(double);
    count[1] = 3;
    count[2] = 2;
    for (int form = 0; form < 2; ++form) { /* the second time in the form of the appendix's point 9 */
        upcr_memset(there, 0, sizeof got);
        if (form == 0)
            upc_memput_strided(behind(there, (8 * 15 + 9) * 16 + 10), dststrides, &A[5][6][7], srcstrides,
                               count, 2);
        else
            upc_memput_strided3d(behind(there, (8 * 15 + 9) * 16 + 10), dststrides[0], dststrides[1],
                                 &A[5][6][7], srcstrides[0], srcstrides[1], count[0], count[1], count[2]);
        for (size_t i = 0; i < 2; ++i)
            for (size_t j = 0; j < 3; ++j)
                for (size_t k = 0; k < 4; ++k) B[8 + i][9 + j][10 + k] = A[5 + i][6 + j][7 + k];
        upcr_memget(got, there, sizeof got);
        SPMD_CHECK(memcmp(got, B, sizeof got) == 0);
    }
    free(B);
}

/* Point 1: each thread's part of A, by thread, into one buffer; then by block, the last one partial. */
static void appendix_1_reblocking(void) {
    const size_t blocks = 2 * upcr_threads() + 1, NUMELEM = (blocks - 1) * BLKSZ + 37;
    const array_t a = make_array(NUMELEM);
    double *localA = calloc(NUMELEM, sizeof(double));
    upc_smemvec_t *myvec = calloc(NUMELEM / BLKSZ + 1, sizeof *myvec);
    upc_pmemvec_t dst = {localA, NUMELEM * sizeof(double)};
    size_t i, at = 0;
    for (i = 0; i < upcr_threads(); ++i) { /* all of a thread's elements are contiguous */
        myvec[i].addr = element(&a, i * BLKSZ);
        myvec[i].len = upcr_affinitysize(NUMELEM * sizeof(double), BLKSZ * sizeof(double), (upcr_thread_t)i);
    }
    upc_memget_vlist(1, &dst, i, myvec);
    for (size_t t = 0; t < upcr_threads(); ++t)
        for (size_t b = t; b < blocks; b += upcr_threads())
            for (size_t k = b * BLKSZ; k < (b + 1) * BLKSZ && k < NUMELEM; ++k) is_element(localA[at++], k);
    SPMD_EQ(at, NUMELEM);

    upcr_shared_ptr_t p = a.base;
    for (i = 0; i < NUMELEM / BLKSZ; ++i) {
        myvec[i].addr = p;
        myvec[i].len = BLKSZ * sizeof(double);
        p = upcr_add_shared(p, sizeof(double), BLKSZ, BLKSZ);
    }
    const ptrdiff_t leftoverelems = upcr_sub_shared(element(&a, NUMELEM), p, sizeof(double), BLKSZ);
    SPMD_EQ(leftoverelems, 37);
    myvec[i].addr = p;
    myvec[i].len = (size_t)leftoverelems * sizeof(double);
    ++i;
    memset(localA, 0, NUMELEM * sizeof(double));
    upc_memget_vlist(1, &dst, i, myvec);
    for (size_t k = 0; k < NUMELEM; ++k) is_element(localA[k], k);

    /* The same by design B: the whole blocks, and the rest by an ordinary copy. */
    upcr_shared_ptr_t *list = calloc(blocks, sizeof *list);
    void *dstlist[] = {localA};
    for (i = 0; i < blocks - 1; ++i) list[i] = element(&a, i * BLKSZ);
    memset(localA, 0, NUMELEM * sizeof(double));
    upc_memget_ilist(1, dstlist, (blocks - 1) * BLKSZ * sizeof(double), blocks - 1, list,
                     BLKSZ * sizeof(double));
    upc_memget(&localA[(blocks - 1) * BLKSZ], element(&a, (blocks - 1) * BLKSZ), 37 * sizeof(double));
    for (size_t k = 0; k < NUMELEM; ++k) is_element(localA[k], k);
    free(list), free(myvec), free(localA);
}

/* Point 6: lists and shapes may be reused at once. Point 7: very many in flight. */
static void appendix_6_and_7_many_at_once(const array_t *a) {
    const size_t n = spmd_effort(20000);
    upc_handle_t *handles = calloc(n, sizeof *handles);
    double(*got)[2] = calloc(n, sizeof *got);
    upcr_shared_ptr_t from[2];
    void *to[2];
    for (size_t i = 0; i < n; ++i) {
        from[0] = element(a, i % a->elements), from[1] = element(a, i * 7 % a->elements);
        to[0] = &got[i][1], to[1] = &got[i][0];
        handles[i] = upc_memget_ilist_async(2, to, sizeof(double), 2, from, sizeof(double));
    }
    upc_waitsync_all(handles, n);
    for (size_t i = 0; i < n; ++i) {
        is_element(got[i][1], i % a->elements);
        is_element(got[i][0], i * 7 % a->elements);
    }
    free(got), free(handles);
}

/* Point 8: the transpose of a remote matrix, and its rows in reverse order. */
static void appendix_8_transpose(void) {
    enum { R = 23, C = 17 };
    double matrix[R][C], transposed[C][R], reversed[R][C];
    const size_t count[] = {8, C, R};
    const ptrdiff_t rows[] = {1, 8, 8 * C}, columns[] = {1, 8 * R, 8}, backwards[] = {1, 8, -8 * C};
    const upcr_shared_ptr_t all = spmd_alloc(sizeof matrix),
                            there = spmd_part(all, (upcr_thread_t)right(), 0);
    for (size_t r = 0; r < R; ++r)
        for (size_t c = 0; c < C; ++c) matrix[r][c] = (double)(100 * r + c);
    spmd_barrier();
    upcr_memput(there, matrix, sizeof matrix);
    upc_waitsync(upc_memget_transpose_async(transposed, columns, there, rows, count, 2));
    upc_memget_transpose(reversed, rows, behind(there, (R - 1) * C), backwards, count, 2);
    for (size_t r = 0; r < R; ++r)
        for (size_t c = 0; c < C; ++c) {
            SPMD_CHECK(transposed[c][r] == matrix[r][c]);
            SPMD_CHECK(reversed[r][c] == matrix[R - 1 - r][c]);
        }
    spmd_barrier();
    /* In the other direction, and between two threads. */
    upc_memput_transpose(there, columns, matrix, rows, count, 2);
    upcr_memget(transposed, there, sizeof transposed);
    for (size_t r = 0; r < R; ++r)
        for (size_t c = 0; c < C; ++c) SPMD_CHECK(transposed[c][r] == matrix[r][c]);
}

static void run(void) {
    const array_t a = make_array(BLKSZ * (upcr_threads() < 2 ? 2 : upcr_threads()));
    double *l = calloc(BLKSZ, sizeof(double)), *r = calloc(BLKSZ, sizeof(double));
    section_2_3_explicit_handles(&a, l, r);
    section_3_2_implicit_handles(&a, l, r);
    section_4_1_access_region(&a, l, r);
    section_4_1_more_in_the_region(&a);
    spmd_barrier();
    section_5_2_memget_vlist(&a);
    section_5_3_memget_ilist(&a);
    section_6_1_memcpy_fstrided();
    section_6_2_memput_strided();
    appendix_1_reblocking();
    appendix_6_and_7_many_at_once(&a);
    appendix_8_transpose();
    free(l), free(r);
}

SPMD_MAIN(run)
