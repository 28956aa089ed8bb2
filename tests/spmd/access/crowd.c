/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `crowd CASE`, with so many UPC threads on one CPU that one mapping covers the segments of all of them
 * (conduits/core/memory/segment_spread.hpp). crowd.sh runs it.
 *
 *   right      every thread reads and writes memory of every other, by pointers-to-shared and by their addresses
 *   null       a null pointer-to-shared
 *   own_null   the start of the calling thread's own segment
 *   own_end    the first byte behind it
 *   stray      a write behind another thread's segment
 */
#include <stddef.h>

#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"

enum { kBytes = 1 << 20 }; /* of a segment: crowd.sh */

static void right(void) {
    const upcr_thread_t n = upcr_threads(), me = upcr_mythread();
    const upcr_shared_ptr_t all =
        upcr_all_alloc(n, n * sizeof(long)); /* in each thread a long of every other */
    upcr_thread_t i;
    for (i = 0; i < n; i++)
        upcr_put_shared_val(upcr_add_shared(all, n * sizeof(long), i, 1), me * sizeof(long), 1000ul * i + me,
                            8);
    spmd_barrier();
    for (i = 0; i < n; i++) {
        const long *mine = upcr_shared_to_local(upcr_add_shared(all, n * sizeof(long), me, 1));
        const long *theirs = upcr_shared_to_local(upcr_add_shared(all, n * sizeof(long), i, 1));
        SPMD_CHECK(mine[i] == (long)(1000 * me + i));
        SPMD_CHECK(theirs[me] == (long)(1000 * i + me));
    }
}

static upcr_shared_ptr_t at(upcr_thread_t thread, size_t offset) {
    return upcr_add_shared(upcr_add_shared(upcr_null_shared, 1, (ptrdiff_t)thread, 1), 1,
                           (ptrdiff_t)(offset * upcr_threads()), 1);
}
static void write_as(upcr_thread_t who, upcr_thread_t where, size_t offset) {
    if (upcr_mythread() == who) upcr_put_shared_val(at(where, offset), 0, 1, 1);
}
static void null(void) { write_as(3, 0, 0); }
static void own_null(void) { write_as(3, 3, 0); }
static void own_end(void) { write_as(3, 3, kBytes); }
static void stray(void) { write_as(3, 5, kBytes + 100); }

static const struct spmd_case cases[] = {CASE(right), CASE(null), CASE(own_null), CASE(own_end), CASE(stray)};

static int run_chosen_case(int argc, char **argv) {
    const struct spmd_case *const found = spmd_find_case(CASES(cases), argc, argv);
    if (found == NULL) return SPMD_NO_CASE;
    found->run();
    spmd_barrier();
    return 0;
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_chosen_case); }
