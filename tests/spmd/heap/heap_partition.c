/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a segment is divided between the two heaps (UPCR_HEAP_PARTITION), seen by filling first one, then
 * the other: shared, each can grow to nearly all of it; static, each gets half and no more, even if the other
 * is empty.
 */
#include "tests/spmd/spmd.h"

enum { BLOCK = 64 << 10 };

/* Fills a heap with as many blocks as upcr_heap_info() has room for, and frees them. Returns bytes. */
static size_t fill(int global) {
    struct upcr_heap_info info;
    upcr_shared_ptr_t *blocks;
    size_t n = 0, most, i;
    upcr_heap_info(upcr_mythread(), &info);
    most = info.size / BLOCK;
    blocks = malloc(most * sizeof *blocks);
    for (;;) {
        upcr_heap_info(upcr_mythread(), &info);
        if ((global ? info.global_largest : info.local_largest) < BLOCK) break;
        SPMD_CHECK(n < most);
        blocks[n++] = global ? upcr_global_alloc(2 * upcr_threads(), BLOCK / 2) : upcr_alloc(BLOCK);
    }
    SPMD_CHECK((global ? info.global_free : info.local_free) < 2 * BLOCK);
    for (i = 0; i < n; ++i) upcr_free(blocks[i]);
    free(blocks);
    return n * BLOCK;
}

static void run(void) {
    const char *partition = bupc_getenv("UPCR_HEAP_PARTITION");
    const int split = partition != NULL && strcmp(partition, "static") == 0;
    struct upcr_heap_info info;
    size_t local, global = 0;
    upcr_heap_info(upcr_mythread(), &info);
    local = fill(0); /* all threads at once */
    spmd_barrier();
    if (upcr_mythread() == 0) global = fill(1);
    spmd_barrier();
    if (split) {
        const size_t half = info.size / 2; /* to the page */
        SPMD_CHECK(local < half + BLOCK && local > half - 2 * BLOCK);
        if (upcr_mythread() == 0) SPMD_CHECK(global < half + BLOCK && global > half - 2 * BLOCK);
    } else {
        SPMD_CHECK(local > info.size - 3 * BLOCK);
        if (upcr_mythread() == 0) SPMD_CHECK(global > info.size - 3 * BLOCK);
    }
}

SPMD_MAIN(run)
