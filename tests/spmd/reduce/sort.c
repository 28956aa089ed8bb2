/* SPDX-License-Identifier: BSD-3-Clause */
/* bupc_all_sort over random shapes, element sizes and inputs, compared with qsort of a private copy. */
#include "tests/spmd/spmd.h"
#include "upcr_preinclude/upc_collective_bits.h"

enum { AREA = 48 << 10, MOST = 900, UNTOUCHED = 0x5A };

static __thread upcr_shared_ptr_t area;
static __thread size_t size; /* of the elements at present */

/* By the first bytes, at most two, so that many elements are equal when `size` is 1; as qsort has it. */
static int by_key(const void *a, const void *b) { return memcmp(a, b, size < 2 ? 1 : 2); }
static int compare(upcr_shared_ptr_t a, upcr_shared_ptr_t b) {
    unsigned char x[2], y[2];
    const size_t key = size < 2 ? 1 : 2;
    upcr_memget(x, a, key);
    upcr_memget(y, b, key);
    return memcmp(x, y, key);
}
static int by_all(const void *a, const void *b) { return memcmp(a, b, size); }

static void one_round(uint64_t seed) {
    static const int in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC, 0};
    static const int out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC, 0};
    static const size_t sizes[] = {1, 2, 4, 8, 3, 12, 24, 40};
    const unsigned me = upcr_mythread(), threads = upcr_threads();
    uint64_t s = seed;
    const size_t bytes = size = sizes[spmd_below(&s, 8)];
    const uint64_t large = spmd_below(&s, 4);
    const size_t n = spmd_below(&s, large == 0 ? 3 : large == 1 ? threads + 2 : large == 2 ? 60 : MOST);
    const uint64_t shape = spmd_below(&s, 5);
    const size_t blk = shape == 0 ? 0 : shape == 1 ? 1 : shape == 2 ? n / threads + 1 : 1 + spmd_below(&s, 9);
    const size_t phase = blk > 1 ? spmd_below(&s, blk) : 0;
    const unsigned start = (unsigned)spmd_below(&s, threads);
    const int flags = in[spmd_below(&s, 4)] | out[spmd_below(&s, 4)];
    /* 0: random, 1: sorted already, 2: the other way round, 3: all equal, 4: few values */
    const unsigned input = (unsigned)spmd_below(&s, 5);
    const upcr_shared_ptr_t array =
        upcri_make_shared(upcr_addrfield_shared(area) + 64 + phase * bytes, start, (upcr_phase_t)phase);
    unsigned char *const all = malloc(n * bytes + 1), *const got = malloc(n * bytes + 1);
    unsigned char *const mine = upcr_shared_to_local(spmd_part(area, me, 0));
    size_t i, j, held = 0;

    for (i = 0; i < n; ++i) {
        const size_t key = input == 1 ? i : input == 2 ? n - i : input == 3 ? 7 : 0;
        for (j = 0; j < bytes; ++j) all[i * bytes + j] = (unsigned char)spmd_random(&s);
        if (input == 0) continue;
        if (input == 4) all[i * bytes] &= 3;
        if (bytes > 1) all[i * bytes + 1] = (unsigned char)key;
        if (input != 4) all[i * bytes] = (unsigned char)(bytes > 1 ? key >> 8 : key);
    }
    memset(mine, UNTOUCHED, AREA);
    for (i = 0; i < n; ++i) {
        const upcr_shared_ptr_t p = bupc_ptradd(array, blk, bytes, (ptrdiff_t)i);
        if (upcr_threadof_shared(p) == me)
            memcpy(upcr_shared_to_local(p), all + i * bytes, bytes), held += bytes;
    }

    if (flags & UPC_IN_NOSYNC) spmd_barrier();
    bupc_all_sort(array, bytes, n, blk, &compare, flags);
    spmd_barrier();

    for (i = 0; i < n; ++i) upcr_memget(got + i * bytes, bupc_ptradd(array, blk, bytes, (ptrdiff_t)i), bytes);
    for (i = 0; i + 1 < n; ++i)
        if (by_key(got + i * bytes, got + (i + 1) * bytes) > 0)
            SPMD_FAIL(
                "seed %#llx: %zu elements of %zu bytes, blk_size %zu, phase %zu, start %u, flags %#x, input %u: "
                "elements %zu and %zu are not in order",
                (unsigned long long)seed, n, bytes, blk, phase, start, (unsigned)flags, input, i, i + 1);
    spmd_barrier(); /* all threads have read */
    /* The same elements as before, and nothing else was written. */
    qsort(all, n, bytes, by_all);
    qsort(got, n, bytes, by_all);
    if (memcmp(all, got, n * bytes) != 0)
        SPMD_FAIL(
            "seed %#llx: %zu elements of %zu bytes, blk_size %zu, phase %zu, start %u, flags %#x, input %u: "
            "other elements than before",
            (unsigned long long)seed, n, bytes, blk, phase, start, (unsigned)flags, input);
    for (i = 0; i < n; ++i) {
        const upcr_shared_ptr_t p = bupc_ptradd(array, blk, bytes, (ptrdiff_t)i);
        if (upcr_threadof_shared(p) == me) memset(upcr_shared_to_local(p), UNTOUCHED, bytes), held -= bytes;
    }
    SPMD_EQ(held, 0);
    for (i = 0; i < AREA; ++i)
        if (mine[i] != UNTOUCHED) SPMD_FAIL("seed %#llx: byte %zu was written", (unsigned long long)seed, i);
    free(all);
    free(got);
    spmd_barrier();
}

static void run(void) {
    const uint64_t rounds = spmd_effort(150);
    uint64_t i;
    area = spmd_alloc(AREA);
    for (i = 0; i < rounds; ++i) one_round(i * 7919 + upcr_threads());
}

SPMD_MAIN(run)
