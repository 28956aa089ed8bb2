/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors of non-contiguous copies that debug builds report: vis_misuse.sh runs each case by name and expects the
 * message and this file's line with the mark "HERE: case".
 */
#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"

enum { kBytes = 65536 };
static upcr_shared_ptr_t p; /* kBytes of the neighbour's */
static char local[kBytes];

static upcr_shared_ptr_t at(ptrdiff_t byte) {
    return upcri_make_shared((uint64_t)((ptrdiff_t)upcr_addrfield_shared(p) + byte), upcr_threadof_shared(p),
                             0);
}
static size_t to_the_end(void) { return (size_t)(upcri_window.segment_bytes - upcr_addrfield_shared(p)); }

/* ---- Lists of regions ---- */

static void vlist_totals(void) {
    const bupc_smemvec_t to[] = {{at(0), 8}, {at(100), 12}};
    const bupc_pmemvec_t from[] = {{local, 16}};
    bupc_memput_vlist(2, to, 1, from); /* HERE: vlist_totals */
}
static void vlist_totals_async(void) {
    const bupc_smemvec_t from[] = {{at(0), 8}};
    (void)bupc_memget_vlist_async(0, NULL, 1, from); /* HERE: vlist_totals_async */
}
static void vlist_null_shared(void) {
    const bupc_smemvec_t to[] = {{at(0), 8}, {upcr_null_shared, 8}};
    const bupc_pmemvec_t from[] = {{local, 16}};
    bupc_memput_vlist(2, to, 1, from); /* HERE: vlist_null_shared */
}
static void vlist_null_private(void) {
    const bupc_pmemvec_t to[] = {{local, 8}, {NULL, 0}, {NULL, 8}};
    const bupc_smemvec_t from[] = {{at(0), 16}};
    bupc_memget_vlist(3, to, 1, from); /* HERE: vlist_null_private */
}
static void vlist_no_list(void) {
    const bupc_pmemvec_t from[] = {{local, 16}};
    bupc_memput_vlist(1, NULL, 1, from); /* HERE: vlist_no_list */
}
static void vlist_beyond(void) {
    const bupc_smemvec_t to[] = {{at(0), 8}};
    const bupc_smemvec_t from[] = {{at(8), 4}, {at((ptrdiff_t)to_the_end() - 2), 4}};
    bupc_memcpy_vlist(1, to, 2, from); /* HERE: vlist_beyond */
}
static void vlist_no_thread(void) {
    const bupc_smemvec_t to[] = {{upcri_make_shared(upcr_addrfield_shared(p), upcr_threads() + 3, 0), 8}};
    const bupc_pmemvec_t from[] = {{local, 8}};
    bupc_memput_vlist(1, to, 1, from); /* HERE: vlist_no_thread */
}
static void vlist_overlap(void) {
    const bupc_smemvec_t to[] = {{at(64), 8}, {at(0), 8}, {at(4), 8}};
    const bupc_pmemvec_t from[] = {{local, 24}};
    bupc_memput_vlist(3, to, 1, from); /* HERE: vlist_overlap */
}
static void vlist_overlap_source(void) {
    const bupc_smemvec_t to[] = {{at(0), 8}, {at(100), 8}};
    const bupc_smemvec_t from[] = {{at(20), 4}, {at(96), 12}};
    bupc_memcpy_vlist(2, to, 2, from); /* HERE: vlist_overlap_source */
}
/* A thread's own shared memory, once as shared and once as private. */
static void vlist_overlap_own(void) {
    const upcr_shared_ptr_t mine = upcri_make_shared(upcr_addrfield_shared(p), upcr_mythread(), 0);
    const bupc_smemvec_t to[] = {{mine, 16}};
    const bupc_pmemvec_t from[] = {{(char *)upcr_shared_to_local(mine) + 8, 16}};
    bupc_memput_vlist(1, to, 1, from); /* HERE: vlist_overlap_own */
}

/* ---- Lists of addresses ---- */

static void ilist_totals(void) {
    const upcr_shared_ptr_t to[] = {at(0), at(100)};
    void *const from[] = {local};
    bupc_memput_ilist(2, to, 8, 1, from, 24); /* HERE: ilist_totals */
}
static void ilist_no_length(void) {
    const upcr_shared_ptr_t to[] = {at(0), at(100)};
    void *const from[] = {local};
    bupc_memput_ilist(2, to, 0, 1, from, 16); /* HERE: ilist_no_length */
}
static void ilist_no_length_source(void) {
    const upcr_shared_ptr_t from[] = {at(0)};
    void *const to[] = {local};
    bupc_memget_ilist(1, to, 16, 1, from, 0); /* HERE: ilist_no_length_source */
}
static void ilist_null(void) {
    const upcr_shared_ptr_t to[] = {at(0), at(100)}, from[] = {at(200), upcr_null_shared};
    (void)bupc_memcpy_ilist_async(2, to, 8, 2, from, 8); /* HERE: ilist_null */
}
static void ilist_null_private(void) {
    const upcr_shared_ptr_t to[] = {at(0)};
    void *const from[] = {local, NULL};
    bupc_memput_ilist(1, to, 16, 2, from, 8); /* HERE: ilist_null_private */
}
static void ilist_beyond(void) {
    const upcr_shared_ptr_t from[] = {at(0), at((ptrdiff_t)to_the_end() - 4)};
    void *const to[] = {local, local + 100};
    bupc_memget_ilist(2, to, 8, 2, from, 8); /* HERE: ilist_beyond */
}
static void ilist_overlap(void) {
    const upcr_shared_ptr_t from[] = {at(0)};
    void *const to[] = {local, local + 100, local + 107};
    bupc_memget_ilist(3, to, 8, 1, from, 24); /* HERE: ilist_overlap */
}
static void ilist_huge(void) {
    const upcr_shared_ptr_t from[] = {at(0), at(8)};
    void *const to[] = {local, local + 8};
    bupc_memget_ilist(2, to, SIZE_MAX, 2, from, SIZE_MAX); /* HERE: ilist_huge */
}

/* ---- Sections ---- */

static void fstrided_totals(void) {
    bupc_memput_fstrided(p, 8, 16, 10, local, 16, 16, 4); /* HERE: fstrided_totals */
}
static void fstrided_stride(void) {
    bupc_memput_fstrided(p, 8, 7, 10, local, 16, 16, 5); /* HERE: fstrided_stride */
}
static void fstrided_stride_source(void) {
    bupc_memget_fstrided(local, 8, 8, 10, p, 16, 15, 5); /* HERE: fstrided_stride_source */
}
static void fstrided_null(void) {
    bupc_memcpy_fstrided(upcr_null_shared, 8, 8, 10, p, 16, 16, 5); /* HERE: fstrided_null */
}
static void fstrided_beyond(void) {
    bupc_memget_fstrided(local, 8, 8, 10, p, 8, to_the_end() / 9, 10); /* HERE: fstrided_beyond */
}
static void fstrided_half_empty(void) {
    bupc_memput_fstrided(p, 8, 16, 10, local, 16, 16, 0); /* HERE: fstrided_half_empty */
}
static void strided_stride(void) {
    const size_t count[] = {32, 3, 2}, to[] = {40, 100}, from[] = {40, 120};
    bupc_memput_strided(p, to, local, from, count, 2); /* HERE: strided_stride */
}
static void strided_row(void) {
    const size_t count[] = {32, 3}, to[] = {40}, from[] = {31};
    bupc_memput_strided(p, to, local, from, count, 1); /* HERE: strided_row */
}
static void strided_no_count(void) {
    const size_t to[] = {40}, from[] = {31};
    bupc_memput_strided(p, to, local, from, NULL, 1); /* HERE: strided_no_count */
}
static void strided_no_strides(void) {
    const size_t count[] = {32, 3}, to[] = {40};
    bupc_memput_strided(p, to, local, NULL, count, 1); /* HERE: strided_no_strides */
}
static void strided_beyond(void) {
    const size_t count[] = {8, 3}, to[] = {8}, from[] = {to_the_end() / 2};
    bupc_memget_strided(local, to, p, from, count, 1); /* HERE: strided_beyond */
}
static void strided_huge(void) {
    const size_t count[] = {8, SIZE_MAX / 4}, to[] = {8};
    bupc_memget_strided(local, to, p, to, count, 1); /* HERE: strided_huge */
}
static void strided_overlap(void) {
    const size_t count[] = {8, 10}, to[] = {24}, from[] = {40};
    bupc_memcpy_strided(p, to, at(32), from, count, 1); /* HERE: strided_overlap */
}
static void strided2d_stride(void) {
    bupc_memput_strided2d(p, 15, local, 16, 16, 4); /* HERE: strided2d_stride */
}
static void strided3d_stride(void) {
    (void)bupc_memget_strided3d_async(local, 16, 64, p, 16, 63, 16, 4, 3); /* HERE: strided3d_stride */
}
static void transpose_meets(void) {
    const size_t count[] = {8, 4, 3};
    const ptrdiff_t to[] = {1, -8, 16}, from[] = {1, 24, 8};
    bupc_memput_transpose(p, to, local, from, count, 2); /* HERE: transpose_meets */
}
static void transpose_zero(void) {
    const size_t count[] = {8, 4};
    const ptrdiff_t to[] = {1, 0}, from[] = {1, 24};
    bupc_memput_transpose(p, to, local, from, count, 1); /* HERE: transpose_zero */
}
static void transpose_before(void) {
    const size_t count[] = {8, 4};
    const ptrdiff_t to[] = {1, 8}, from[] = {1, -((ptrdiff_t)1 << 40)};
    bupc_memget_transpose(local, to, p, from, count, 1); /* HERE: transpose_before */
}
static void transpose_beyond(void) {
    const size_t count[] = {8, 4};
    const ptrdiff_t to[] = {1, (ptrdiff_t)(to_the_end() / 3)}, from[] = {1, 8};
    bupc_memput_transpose(p, to, local, from, count, 1); /* HERE: transpose_beyond */
}
static void never(void) { (void)bupc_memput_strided2d_async(p, 16, local, 16, 8, 4); /* HERE: never */ }

/* Not misuse: nothing to do, whatever the other arguments are; entries of length 0; pieces side by side and
 * interleaved; sources that repeat. */
static void fine(void) {
    const size_t none[] = {8, 0, 3}, odd[] = {1, 1};
    const bupc_smemvec_t empty[] = {{upcr_null_shared, 0}, {at(0), 8}, {at(8), 8}};
    const bupc_pmemvec_t twice[] = {{local, 8}, {NULL, 0}, {local + 4, 8}};
    const size_t count[] = {8, 10}, every_other[] = {16};
    const size_t square[] = {8, 4, 4};
    const ptrdiff_t columns[] = {1, 32, -8}, same[] = {1, 0, 8};
    bupc_memput_vlist(0, NULL, 0, NULL);
    bupc_memget_ilist(0, NULL, 0, 0, NULL, 0);
    bupc_memcpy_fstrided(upcr_null_shared, 0, 0, 7, upcr_null_shared, 9, 0, 0);
    bupc_memput_strided(upcr_null_shared, odd, NULL, odd, none, 2);
    bupc_memget_strided2d(NULL, 0, upcr_null_shared, 0, 5, 0);
    bupc_memput_transpose(upcr_null_shared, NULL, NULL, NULL, none, 2);
    bupc_memput_vlist(3, empty, 3, twice);
    bupc_memcpy_strided(p, every_other, at(8), every_other, count, 1);
    bupc_memput_transpose(at(64), columns, local, same, square, 2);
    bupc_memput_strided(p, NULL, local, NULL, count, 0);
    upcr_wait_syncnb(bupc_memput_vlist_async(0, NULL, 0, NULL));
}

static const struct spmd_case cases[] = {
    CASE(vlist_totals),
    CASE(vlist_totals_async),
    CASE(vlist_null_shared),
    CASE(vlist_null_private),
    CASE(vlist_no_list),
    CASE(vlist_beyond),
    CASE(vlist_no_thread),
    CASE(vlist_overlap),
    CASE(vlist_overlap_source),
    CASE(vlist_overlap_own),
    CASE(ilist_totals),
    CASE(ilist_no_length),
    CASE(ilist_no_length_source),
    CASE(ilist_null),
    CASE(ilist_null_private),
    CASE(ilist_beyond),
    CASE(ilist_overlap),
    CASE(ilist_huge),
    CASE(fstrided_totals),
    CASE(fstrided_stride),
    CASE(fstrided_stride_source),
    CASE(fstrided_null),
    CASE(fstrided_beyond),
    CASE(fstrided_half_empty),
    CASE(strided_stride),
    CASE(strided_row),
    CASE(strided_no_count),
    CASE(strided_no_strides),
    CASE(strided_beyond),
    CASE(strided_huge),
    CASE(strided_overlap),
    CASE(strided2d_stride),
    CASE(strided3d_stride),
    CASE(transpose_meets),
    CASE(transpose_zero),
    CASE(transpose_before),
    CASE(transpose_beyond),
    CASE(never),
    CASE(fine),
};

static int run_chosen_case(int argc, char **argv) {
    const upcr_shared_ptr_t all = spmd_alloc(kBytes);
    p = spmd_part(all, 1 - upcr_mythread(), 0);
    spmd_barrier();
    const struct spmd_case *const found = spmd_find_case(CASES(cases), argc, argv);
    if (found == NULL) return SPMD_NO_CASE;
    if (upcr_mythread() == 0) found->run();
    spmd_barrier();
    return 0;
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_chosen_case); }
