/* SPDX-License-Identifier: BSD-3-Clause */
/* names_misuse CASE: library calls that end the job; names_misuse.sh has the messages. */
#include "tests/gupc/names/names.h"

EMIT_PROGRAM_INFO;

SHARED(int, object, 16);
static int buffer[16];

static int difference(int mine) { return MYTHREAD == 0 ? 1 : mine; }
static int compare(P a, P b) { return upc_threadof(a) < upc_threadof(b); }

static void run_case(const char *test) {
    const P here = emit_at(object, 0), null = gupc_null(), beyond = emit_at(object, THREADS),
            outside = part(object, 0, UINT64_C(3) << 32, 0);
#define CASE(name) if (strcmp(test, #name) == 0)
    CASE(null_get) upc_memget(buffer, null, 4);
    CASE(null_put) upc_memput(null, buffer, 4);
    CASE(null_copy) upc_memcpy(here, null, 4);
    CASE(null_set) upc_memset(null, 1, 4);
    CASE(null_local) upc_memput(here, NULL, 4);
    CASE(null_nb) upc_memget_nbi(buffer, null, 4);
    CASE(null_broadcast) upc_all_broadcast(here, null, 4, 0);
    CASE(null_perm) upc_all_permute(here, here, null, 4, 0);
    CASE(null_reduce) upc_all_reduceI(null, here, UPC_ADD, 4, 1, NULL, 0);
    CASE(null_sort) upc_all_sort(null, 4, 4, 1, compare, 0);
    CASE(null_atomic) upc_atomic_relaxed(here, NULL, ATOMIC_INC, null, NULL, NULL);
    CASE(null_domain) upc_atomic_strict(null, NULL, ATOMIC_INC, here, NULL, NULL);
    CASE(no_compare) upc_all_sort(here, 4, 4, 1, NULL, 0);
    CASE(thread) upc_memcpy(beyond, here, 4);
    CASE(thread_nb) upc_memset_nb(beyond, 0, 4);
    CASE(thread_gather) upc_all_gather(beyond, here, 4, 0);
    CASE(address) upc_memset(outside, 0, 4);
    CASE(end) upc_memget_nb(buffer, here, (size_t)1 << 40);
    CASE(position) upc_memgetg(buffer, null, 4, "heat.upc", 42);
    CASE(flags) upc_all_scatter(here, here, 4, 32 | 8);
    CASE(flags_other) upc_all_scatter(here, here, 4, 5);
    CASE(operator) upc_all_reduceL(here, here, 11, 1, 1, NULL, 0);
    CASE(bytes_differ) upc_coll_err(here, here, here, (size_t)difference(2), 0, 0, 0, 0, 3);
    CASE(calls_differ) upc_coll_err(here, here, here, 4, 0, 0, 0, 0, difference(9));
    CASE(pointers_differ)
    upc_coll_err(part(object, 0, (size_t)difference(8), 0), here, here, 4, 0, 0, 0, 0, 3);
}

int main(int argc, char **argv) {
    run_case(argc > 1 ? argv[1] : "");
    barrier_all();
    return emit_failures;
}
