/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors that reductions, sorts and value collectives report: reduce_misuse.sh runs each case by name and
 * expects the message and this file's line with the mark "HERE: case".
 */
#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"
#include "upcr_preinclude/upc_collective_bits.h"

static __thread upcr_shared_ptr_t src, dst; /* 4096 bytes of each thread */
static __thread unsigned me;

#define SYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
static upcr_shared_ptr_t at(upcr_shared_ptr_t p, unsigned thread, size_t byte, upcr_phase_t phase) {
    return upcri_make_shared(upcr_addrfield_shared(p) + byte, thread, phase);
}
static int plus(int a, int b) { return a + b; }
static int compare(upcr_shared_ptr_t a, upcr_shared_ptr_t b) {
    return (int)upcr_get_shared_val(a, 0, 4) - (int)upcr_get_shared_val(b, 0, 4);
}

static void other_nelems(void) {
    bupc_all_reduceI(dst, src, UPC_ADD, 8 + me, 2, NULL, SYNC); /* HERE: other_nelems */
}
static void other_op(void) { bupc_all_reduce_allD(dst, src, me ? UPC_MIN : UPC_ADD, 8, 2, NULL, SYNC); }
static void other_blk_size(void) { bupc_all_prefix_reduceL(dst, src, UPC_ADD, 8, 2 + me, NULL, SYNC); }
static void other_dst(void) { bupc_all_reduceI(at(dst, me, 0, 0), src, UPC_ADD, 8, 2, NULL, SYNC); }
static void other_function(void) {
    if (me == 0)
        bupc_all_reduceI(dst, src, UPC_ADD, 8, 2, NULL, SYNC);
    else
        bupc_all_reduceUI(dst, src, UPC_ADD, 8, 2, NULL, SYNC);
}
static void bitwise_float(void) {
    bupc_all_reduceF(dst, src, UPC_AND, 8, 2, NULL, SYNC); /* HERE: bitwise_float */
}
static void bitwise_long_double(void) { bupc_all_prefix_reduceLD(dst, src, UPC_XOR, 8, 2, NULL, SYNC); }
static void no_such_op(void) { bupc_all_reduceI(dst, src, 3, 8, 2, NULL, SYNC); /* HERE: no_such_op */ }
static void null_func(void) { bupc_all_reduceI(dst, src, UPC_FUNC, 8, 2, NULL, SYNC); /* HERE: null_func */ }
static void null_on_one(void) { bupc_all_reduceI(dst, src, UPC_FUNC, 8, 2, me ? NULL : &plus, SYNC); }
static void phase_beyond(void) {
    bupc_all_reduceI(dst, at(src, 0, 12, 3), UPC_ADD, 8, 2, NULL, SYNC); /* HERE: phase_beyond */
}
static void phase_indefinite(void) { bupc_all_reduceI(dst, at(src, 0, 12, 3), UPC_ADD, 8, 0, NULL, SYNC); }
static void prefix_thread(void) {
    bupc_all_prefix_reduceI(at(dst, 1, 0, 0), src, UPC_ADD, 8, 2, NULL, SYNC); /* HERE: prefix_thread */
}
static void prefix_phase(void) { bupc_all_prefix_reduceI(at(dst, 0, 4, 1), src, UPC_ADD, 8, 2, NULL, SYNC); }
static void prefix_overlap(void) {
    bupc_all_prefix_reduceI(at(src, 0, 8, 0), src, UPC_ADD, 9, 2, NULL, SYNC);
}
static void reduce_overlap(void) { bupc_all_reduceI(at(src, 1, 4, 0), src, UPC_ADD, 8, 2, NULL, SYNC); }
static void all_affinity(void) { bupc_all_reduce_allI(at(dst, 1, 0, 0), src, UPC_ADD, 8, 2, NULL, SYNC); }
static void null_dst(void) { bupc_all_reduceI(upcr_null_shared, src, UPC_ADD, 8, 2, NULL, SYNC); }
static void too_many(void) { bupc_all_reduceI(dst, src, UPC_ADD, (size_t)1 << 33, 2, NULL, SYNC); }
static void misaligned(void) { bupc_all_reduceL(dst, at(src, 0, 4, 0), UPC_ADD, 2, 2, NULL, SYNC); }
static void two_flags(void) {
    bupc_all_reduceI(dst, src, UPC_ADD, 8, 2, NULL, UPC_IN_NOSYNC | UPC_IN_MYSYNC);
}
static void in_barrier(void) {
    upcr_notify(0, 1);
    bupc_all_reduceI(dst, src, UPC_ADD, 8, 2, NULL, SYNC); /* HERE: in_barrier */
}
static void missing(void) {
    if (me == 0) bupc_all_reduceI(dst, src, UPC_ADD, 8, 1, NULL, SYNC);
}
static void sort_no_size(void) { bupc_all_sort(src, 0, 8, 2, &compare, SYNC); /* HERE: sort_no_size */ }
static void sort_no_func(void) { bupc_all_sort(src, 4, 8, 2, NULL, SYNC); }
static void sort_other(void) { bupc_all_sort(src, 4, 8, me ? 2 : 1, &compare, SYNC); }
static void allv_root(void) { (void)bupc_allv_broadcast(int, 1, 2); /* HERE: allv_root */ }
static void allv_other_root(void) { (void)bupc_allv_reduce(int, 1, (int)me, UPC_ADD); }
static void allv_permutation(void) { (void)bupc_allv_permute(int, 1, 1); /* HERE: allv_permutation */ }
static void allv_op(void) { (void)bupc_allv_reduce_all(double, 1, UPC_OR); /* HERE: allv_op */ }
static void allv_func(void) { (void)bupc_allv_prefix_reduce(int, 1, UPC_FUNC); }
static void allv_sizes(void) {
    if (me == 0)
        (void)bupc_allv_gather_all(int, 1, (int *)upcr_shared_to_local(src));
    else
        (void)bupc_allv_gather_all(char, 1, (char *)upcr_shared_to_local(at(src, 1, 0, 0)));
}

/* Not misuse. */
static void fine(void) {
    bupc_all_reduceI(at(src, 1, 16, 0), src, UPC_ADD, 8, 2, NULL, 0); /* beside the array's part */
    bupc_all_prefix_reduceI(at(dst, 1, 4, 1), at(src, 1, 4, 1), UPC_FUNC, 8, 2, &plus, SYNC);
    bupc_all_reduce_allD(dst, src, UPC_ADD, 0, 2, NULL, SYNC);
    bupc_all_sort(src, 4, 8, 0, &compare, 0);
}

static const struct spmd_case cases[] = {
    /* clang-format off */
    CASE(other_nelems),     CASE(other_op),         CASE(other_blk_size), CASE(other_dst),    CASE(other_function),
    CASE(bitwise_float),    CASE(bitwise_long_double), CASE(no_such_op),  CASE(null_func),    CASE(null_on_one),
    CASE(phase_beyond),     CASE(phase_indefinite), CASE(prefix_thread),  CASE(prefix_phase), CASE(prefix_overlap),
    CASE(reduce_overlap),   CASE(all_affinity),     CASE(null_dst),       CASE(too_many),     CASE(misaligned),
    CASE(two_flags),        CASE(in_barrier),       CASE(missing),        CASE(sort_no_size), CASE(sort_no_func),
    CASE(sort_other),       CASE(allv_root),        CASE(allv_other_root), CASE(allv_permutation), CASE(allv_op),
    CASE(allv_func),        CASE(allv_sizes),       CASE(fine),
    /* clang-format on */
};

static int run_chosen_case(int argc, char **argv) {
    me = upcr_mythread();
    src = spmd_alloc(4096);
    dst = spmd_alloc(4096);
    return spmd_run_case(CASES(cases), argc, argv);
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_chosen_case); }
