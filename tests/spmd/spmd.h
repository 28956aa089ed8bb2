/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Support for test programs that run as several UPC threads (upcr_spmd_test in CMakeLists.txt): checks that
 * name the thread and end the whole job, a deterministic generator, shared arrays to work on. C and C++.
 *
 * A program defines `static void run(void)`, which all UPC threads execute, and ends with SPMD_MAIN(run).
 */
#pragma once
#include <upcr.h>

#define SPMD_FAIL(...)                                                                       \
    do {                                                                                     \
        fprintf(stderr, "%s:%d: UPC thread %u of %u: ", __FILE__, __LINE__, upcr_mythread(), \
                upcr_threads());                                                             \
        fprintf(stderr, __VA_ARGS__);                                                        \
        fputc('\n', stderr);                                                                 \
        upcr_global_exit(1);                                                                 \
    } while (0)
#define SPMD_CHECK(cond)                                     \
    do {                                                     \
        if (!(cond)) SPMD_FAIL("'%s' does not hold", #cond); \
    } while (0)
/* Two integers. */
#define SPMD_EQ(got, want)                                                                                   \
    do {                                                                                                     \
        const unsigned long long spmd_g = (unsigned long long)(got), spmd_w = (unsigned long long)(want);    \
        if (spmd_g != spmd_w) SPMD_FAIL("%s is %#llx, not %s, which is %#llx", #got, spmd_g, #want, spmd_w); \
    } while (0)

static inline void spmd_barrier(void) {
    upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
    upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
}

/* splitmix64: the same sequence on every machine. `state` is the caller's. */
static inline uint64_t spmd_random(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
static inline uint64_t spmd_below(uint64_t *state, uint64_t limit) { return spmd_random(state) % limit; }

/* `bytes` (cache-line aligned, zero) of every thread's memory at the same offset; the pointer is to thread
 * 0's part. Collective. The part of thread t, and a byte of it: */
static inline upcr_shared_ptr_t spmd_alloc(size_t bytes) {
    const upcr_shared_ptr_t p = upcr_all_alloc(upcr_threads(), bytes);
    upcr_shared_ptr_t mine = upcri_make_shared(upcr_addrfield_shared(p), upcr_mythread(), 0);
    memset(upcr_shared_to_local(mine), 0, bytes);
    spmd_barrier();
    return p;
}
static inline upcr_shared_ptr_t spmd_part(upcr_shared_ptr_t p, upcr_thread_t thread, size_t byte) {
    return upcri_make_shared(upcr_addrfield_shared(p) + byte, thread, 0);
}
static inline upcr_pshared_ptr_t spmd_ppart(upcr_shared_ptr_t p, upcr_thread_t thread, size_t byte) {
    return upcri_make_pshared(upcr_addrfield_shared(p) + byte, thread);
}

/* How much a test does is divided by this: SPMD_EFFORT=10 makes everything ten times shorter. */
static inline uint64_t spmd_effort(uint64_t full) {
    const char *text = getenv("SPMD_EFFORT");
    const uint64_t divisor = text != NULL ? strtoull(text, NULL, 10) : 1;
    return divisor > 1 ? (full + divisor - 1) / divisor : full;
}

#define SPMD_MAIN(body)                                \
    static int spmd_main(int argc, char **argv) {      \
        (void)argc, (void)argv;                        \
        spmd_barrier();                                \
        body();                                        \
        spmd_barrier();                                \
        return 0;                                      \
    }                                                  \
    int main(int argc, char **argv) {                  \
        bupc_init_reentrant(&argc, &argv, &spmd_main); \
        return 99; /* not reached */                   \
    }
