/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the programs: placeholders, pointers to them, checks. main() is upc_main(), as the compilers have
 * it. */
#pragma once
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prototypes.h"

#define SHARED __attribute__((section("upc_shared"), used))
/* The file and line that instrumented calls bring. */
#define HERE "contract.upc", __LINE__
#define ANONYMOUS INT_MIN

__attribute__((section("upc_pgm_info"), used)) static const char info[] =
    "$GCCUPCConfig: (contract.upc) dynamicthreads process$";

/* An address in a placeholder on a thread. */
static inline P at(const void *placeholder, int thread, unsigned phase) {
#ifdef STRUCT_FORM
    return (P){(uintptr_t)placeholder, (uint32_t)thread, phase};
#else
    return (P)((const char *)placeholder - __upc_shared_start) << 30 | (P)thread << 20 | phase;
#endif
}
static inline P null_pointer(void) {
    P p;
    memset(&p, 0, sizeof p);
    return p;
}
static inline int same(P a, P b) { return memcmp(&a, &b, sizeof a) == 0; }
static inline long offset_of(const void *placeholder) {
    return (long)((const char *)placeholder - __upc_shared_start);
}
static inline int neighbour(int distance) { return (MYTHREAD + distance + 4 * THREADS) % THREADS; }
/* The calling thread's memory of a placeholder. */
static inline void *own(const void *placeholder) { return __getaddr(at(placeholder, MYTHREAD, 0)); }
static inline void barrier_all(void) { __upc_barrier(ANONYMOUS); }

/* Not 0: a check failed. */
static int failures __attribute__((unused));
#define CHECK(condition)                                                                           \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            failures = 1;                                                                          \
            fprintf(stderr, "%s:%d: thread %d of %d: %s\n", __FILE__, __LINE__, MYTHREAD, THREADS, \
                    #condition);                                                                   \
        }                                                                                          \
    while (0)
