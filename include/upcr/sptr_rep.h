/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fields of a pointer-to-shared, for both layouts, and division by THREADS without a divide
 * instruction, except for steps of 2^31 and more. sptr.h is written on top of this. Nothing here is for
 * users; any thread.
 */
#pragma once
#include "upcr/window.h"

UPCRI_BEGIN_C

#ifdef UPCRI_POINTER_packed

/* `offset` is in the segment of `thread`; `phase` in elements. Offset 0 of thread 0 with phase 0 is null. */
UPCRI_STATIC upcr_shared_ptr_t upcri_make_shared(uint64_t offset, upcr_thread_t thread, upcr_phase_t phase) {
    return (uint64_t)phase << UPCRI_PHASE_SHIFT | (uint64_t)thread << UPCRI_ADDR_BITS | offset;
}
UPCRI_STATIC upcr_pshared_ptr_t upcri_make_pshared(uint64_t offset, upcr_thread_t thread) {
    return (uint64_t)thread << UPCRI_ADDR_BITS | offset;
}
UPCRI_STATIC uint64_t upcri_offset_shared(upcr_shared_ptr_t p) { return p & UPCRI_ADDR_MASK; }
UPCRI_STATIC uint64_t upcri_offset_pshared(upcr_pshared_ptr_t p) { return p & UPCRI_ADDR_MASK; }
UPCRI_STATIC upcr_thread_t upcri_thread_shared(upcr_shared_ptr_t p) {
    return (upcr_thread_t)(p >> UPCRI_ADDR_BITS & UPCRI_THREAD_MASK);
}
UPCRI_STATIC upcr_thread_t upcri_thread_pshared(upcr_pshared_ptr_t p) {
    return (upcr_thread_t)(p >> UPCRI_ADDR_BITS & UPCRI_THREAD_MASK);
}
UPCRI_STATIC upcr_phase_t upcri_phase_shared(upcr_shared_ptr_t p) {
    return (upcr_phase_t)(p >> UPCRI_PHASE_SHIFT);
}
UPCRI_STATIC upcr_pshared_ptr_t upcri_drop_phase(upcr_shared_ptr_t p) {
    return p & ((UINT64_C(1) << UPCRI_PHASE_SHIFT) - 1);
}
UPCRI_STATIC upcr_shared_ptr_t upcri_with_phase(upcr_pshared_ptr_t p, upcr_phase_t phase) {
    return p | (uint64_t)phase << UPCRI_PHASE_SHIFT;
}
/* Adds to each field. The results must fit their fields; sums of steps may leave them in between. */
UPCRI_STATIC upcr_shared_ptr_t upcri_move_shared(upcr_shared_ptr_t p, int64_t bytes, int64_t threads,
                                                 int64_t phase) {
    return p + (uint64_t)bytes + ((uint64_t)threads << UPCRI_ADDR_BITS) +
           ((uint64_t)phase << UPCRI_PHASE_SHIFT);
}
UPCRI_STATIC upcr_pshared_ptr_t upcri_move_pshared(upcr_pshared_ptr_t p, int64_t bytes, int64_t threads) {
    return p + (uint64_t)bytes + ((uint64_t)threads << UPCRI_ADDR_BITS);
}

#else /* struct layout */

UPCRI_STATIC upcr_shared_ptr_t upcri_make_shared(uint64_t offset, upcr_thread_t thread, upcr_phase_t phase) {
    upcr_shared_ptr_t p;
    p.s_addr = offset;
    p.s_thread = thread;
    p.s_phase = phase;
    return p;
}
UPCRI_STATIC upcr_pshared_ptr_t upcri_make_pshared(uint64_t offset, upcr_thread_t thread) {
    upcr_pshared_ptr_t p;
    p.s_addr = offset;
    p.s_thread = thread;
    p.s_unused = 0;
    return p;
}
UPCRI_STATIC uint64_t upcri_offset_shared(upcr_shared_ptr_t p) { return p.s_addr; }
UPCRI_STATIC uint64_t upcri_offset_pshared(upcr_pshared_ptr_t p) { return p.s_addr; }
UPCRI_STATIC upcr_thread_t upcri_thread_shared(upcr_shared_ptr_t p) { return p.s_thread; }
UPCRI_STATIC upcr_thread_t upcri_thread_pshared(upcr_pshared_ptr_t p) { return p.s_thread; }
UPCRI_STATIC upcr_phase_t upcri_phase_shared(upcr_shared_ptr_t p) { return p.s_phase; }
UPCRI_STATIC upcr_pshared_ptr_t upcri_drop_phase(upcr_shared_ptr_t p) {
    return upcri_make_pshared(p.s_addr, p.s_thread);
}
UPCRI_STATIC upcr_shared_ptr_t upcri_with_phase(upcr_pshared_ptr_t p, upcr_phase_t phase) {
    return upcri_make_shared(p.s_addr, p.s_thread, phase);
}
/* Adds to each field. */
UPCRI_STATIC upcr_shared_ptr_t upcri_move_shared(upcr_shared_ptr_t p, int64_t bytes, int64_t threads,
                                                 int64_t phase) {
    return upcri_make_shared(p.s_addr + (uint64_t)bytes, p.s_thread + (uint32_t)threads,
                             p.s_phase + (uint32_t)phase);
}
UPCRI_STATIC upcr_pshared_ptr_t upcri_move_pshared(upcr_pshared_ptr_t p, int64_t bytes, int64_t threads) {
    return upcri_make_pshared(p.s_addr + (uint64_t)bytes, p.s_thread + (uint32_t)threads);
}

#endif

/* floor(n / d) for d > 0. With a constant power of two one shift, with another constant a multiplication. */
UPCRI_STATIC int64_t upcri_floor_div(int64_t n, int64_t d) {
    const int64_t sign = n >> 63;
    if (__builtin_constant_p(d) && (d & (d - 1)) == 0) return n >> __builtin_ctzll((unsigned long long)d);
    return (int64_t)((uint64_t)(n ^ sign) / (uint64_t)d) ^ sign;
}

/*
 * Steps of `steps` threads from `thread` (below THREADS) on: *rounds is the number of times that the end of a
 * round is passed, floor of n / THREADS with n = thread + steps. Returns 0, with *rounds undefined, only for
 * n below -2^31 and from 2^31 on. A step that the compiler knows to be 1 or -1 costs a comparison. Others
 * have no branch on the end of a round: it is unpredictable, and a misprediction costs more than the
 * multiplication.
 *
 * With s = ceil(log2 THREADS) and magic = ceil(2^(31+s) / THREADS), which is below 2^32,
 * floor(m * magic / 2^(31+s)) is m / THREADS for 0 <= m < 2^31: with e = magic * THREADS - 2^(31+s), which
 * is below THREADS <= 2^s, the product is too large by m * e / THREADS, and that is below
 * 2^(31+s) / THREADS. Negative n: floor(n / d) == ~(~n / d).
 */
UPCRI_STATIC int upcri_rounds(upcr_thread_t thread, int64_t steps, int64_t *rounds) {
    const int64_t n = (int64_t)thread + steps;
#ifdef UPCRI_STATIC_THREADS
    *rounds = upcri_floor_div(n, (int64_t)UPCRI_THREADS);
    return 1;
#else
    const int64_t sign = n >> 63;
    const uint64_t m = (uint64_t)(n ^ sign);
    if (__builtin_constant_p(steps) && (steps == 1 || steps == -1)) {
        *rounds = (uint64_t)n < UPCRI_THREADS ? 0 : steps;
        return 1;
    }
    *rounds = (int64_t)(m * upcri_window.threads_magic >> upcri_window.threads_shift) ^ sign;
    return UPCRI_LIKELY(m <= INT32_MAX);
#endif
}

/* `steps` threads further, of which `rounds` rounds of all threads are `bytes` of addresses each. */
UPCRI_STATIC upcr_pshared_ptr_t upcri_move_rounds(upcr_pshared_ptr_t p, uint64_t bytes, int64_t steps,
                                                  int64_t rounds) {
#ifdef UPCRI_POINTER_packed
    /* Both fields by one multiplication: a round adds `bytes` and takes THREADS off the thread. */
    const uint64_t round = bytes - ((uint64_t)UPCRI_THREADS << UPCRI_ADDR_BITS);
    return p + ((uint64_t)steps << UPCRI_ADDR_BITS) + (uint64_t)rounds * round;
#else
    return upcri_move_pshared(p, rounds * (int64_t)bytes, steps - rounds * (int64_t)UPCRI_THREADS);
#endif
}

/* `inc` elements further, which is `blocks` blocks, of which `rounds` rounds of all threads. */
UPCRI_STATIC upcr_shared_ptr_t upcri_move_blocks(upcr_shared_ptr_t p, uint64_t elemsz, int64_t inc,
                                                 uint64_t blockelems, int64_t blocks, int64_t rounds) {
#ifdef UPCRI_POINTER_packed
    /* The changes of all fields by an element, a block and a round: constants except THREADS. */
    const uint64_t element = elemsz + (UINT64_C(1) << UPCRI_PHASE_SHIFT);
    const uint64_t block = (UINT64_C(1) << UPCRI_ADDR_BITS) - blockelems * element;
    const uint64_t round = blockelems * elemsz - ((uint64_t)UPCRI_THREADS << UPCRI_ADDR_BITS);
    return p + (uint64_t)inc * element + (uint64_t)blocks * block + (uint64_t)rounds * round;
#else
    const int64_t phase = inc - blocks * (int64_t)blockelems;
    return upcri_move_shared(p, (phase + rounds * (int64_t)blockelems) * (int64_t)elemsz,
                             blocks - rounds * (int64_t)UPCRI_THREADS, phase);
#endif
}

/* Start-up: sets THREADS and the constants of the division by it. `threads` from 1 to 2^31. */
UPCRI_API void upcri_set_threads(upcr_thread_t threads);

UPCRI_END_C
