/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A put and a get of more than INT_MAX bytes, to the last thread and back. UPC_SHARED_HEAP_SIZE: 3 GB.
 * Thread 0 checks the bytes that it gets, the owner its memory.
 */
#include "tests/spmd/spmd.h"

static const size_t kBytes = ((size_t)1 << 31) + 12345;

static uint64_t word_at(size_t i) { return i * 0x9e3779b97f4a7c15u; }

static void check(const char *p) {
    for (size_t i = 0; i < kBytes / 8; ++i) {
        uint64_t word;
        memcpy(&word, p + 8 * i, 8);
        if (word != word_at(i)) SPMD_FAIL("word %zu is %#llx", i, (unsigned long long)word);
    }
    SPMD_CHECK(p[kBytes - 1] == 42);
}

static void run(void) {
    const upcr_thread_t last = upcr_threads() - 1;
    upcr_shared_ptr_t all = spmd_alloc(kBytes), there = spmd_part(all, last, 0);
    if (upcr_mythread() == 0) {
        char *data = malloc(kBytes);
        SPMD_CHECK(data != NULL);
        for (size_t i = 0; i < kBytes / 8; ++i) {
            const uint64_t word = word_at(i);
            memcpy(data + 8 * i, &word, 8);
        }
        data[kBytes - 1] = 42;
        upcr_memput(there, data, kBytes);
        memset(data, 0, kBytes);
        upcr_memget(data, there, kBytes);
        check(data);
        free(data);
    }
    spmd_barrier();
    if (upcr_mythread() == last) check(upcr_shared_to_local(there));
    spmd_barrier();
}

SPMD_MAIN(run)
