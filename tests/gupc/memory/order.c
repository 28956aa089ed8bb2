/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relaxed and strict accesses of one thread to a few bytes of another one, at random and overlapping: what they
 * leave and read are the results of doing them one after the other, although they are pending together
 * and the conduit delays and reorders them. And a strict put is seen after all relaxed ones before it.
 */
#include <sched.h>
#include <upcr/gmem.h>
#include <upcr/gupc.h>

#include "tests/spmd/spmd.h"

enum { kBytes = 96, kLong = 3000 };
static __thread upcr_shared_ptr_t area;

static upcr_gmem_addr_t at(upcr_thread_t t, size_t byte) {
    return upcr_sptr_to_gmem_addr(spmd_part(area, t, byte));
}

/* Each thread has the first kBytes of the next one's memory to itself, and a copy of what ought to be there. */
static void one_location(void) {
    const upcr_thread_t next = (upcr_mythread() + 1) % upcr_threads();
    unsigned char model[kBytes] = {0}, data[kBytes], later[kBytes], then[kBytes];
    size_t started = 0, started_at = 0; /* a pending get: its length */
    uint64_t state = upcr_mythread();
    for (uint64_t i = 0; i < spmd_effort(4000); ++i) {
        const size_t from = spmd_below(&state, kBytes), n = 1 + spmd_below(&state, kBytes - from);
        const size_t to = spmd_below(&state, kBytes - n + 1);
        const int strict = spmd_below(&state, 20) == 0, byte = (int)spmd_below(&state, 256);
        switch (spmd_below(&state, 6)) {
        case 0:
        case 1:
            for (size_t k = 0; k < n; ++k) data[k] = (unsigned char)spmd_random(&state);
            memcpy(model + from, data, n);
            upcri_gupc_put(at(next, from), data, n, strict);
            memset(data, 0, sizeof data);
            break;
        case 2:
            upcri_gupc_get(data, at(next, from), n, strict);
            SPMD_CHECK(memcmp(data, model + from, n) == 0);
            break;
        case 3: /* what it reads is what was there when it started, whatever is written later */
            upcr_gmem_sync_gets();
            SPMD_CHECK(memcmp(later, then, started) == 0);
            started = n, started_at = from;
            memcpy(then, model + started_at, started);
            upcri_gupc_start_get(later, at(next, from), n, strict);
            break;
        case 4:
            if (from + n > to && to + n > from && from != to) break; /* they must not overlap */
            memmove(model + to, model + from, n);
            upcri_gupc_copy(at(next, to), at(next, from), n, strict);
            break;
        case 5:
            memset(model + from, byte, n);
            upcri_gupc_set(at(next, from), byte, n, strict);
            break;
        }
    }
    upcri_gupc_sync(UPCRI_GUPC_NOTIFY);
    SPMD_CHECK(memcmp(later, then, started) == 0);
    SPMD_EQ(upcri_gupc_pending, 0);
    upcr_gmem_get(data, at(next, 0), kBytes);
    upcr_gmem_sync_gets();
    SPMD_CHECK(memcmp(data, model, kBytes) == 0);
}

/* Thread 0 writes a message to all threads and then, strictly, a flag; a thread that sees the flag sees all of the message. */
static void message(void) {
    const size_t flag = 64 * 64;
    for (uint64_t round = 1; round <= spmd_effort(100); ++round) {
        if (upcr_mythread() == 0) {
            for (upcr_thread_t t = 1; t < upcr_threads(); ++t)
                for (size_t k = 0; k < 64; ++k) {
                    const uint64_t word = round * 64 + k;
                    upcri_gupc_put(at(t, 8 * (k * 37 % 64)), &word, 8, 0);
                }
            for (upcr_thread_t t = 1; t < upcr_threads(); ++t) upcri_gupc_put(at(t, flag), &round, 8, 1);
            for (upcr_thread_t t = 1; t < upcr_threads(); ++t) {
                uint64_t echo = 0;
                while (upcri_gupc_get(&echo, at(t, flag + 8), 8, 1), echo != round) sched_yield();
            }
        } else {
            uint64_t word = 0;
            while (upcri_gupc_get(&word, at(upcr_mythread(), flag), 8, 1), word != round) sched_yield();
            for (size_t k = 0; k < 64; ++k) {
                upcri_gupc_get(&word, at(upcr_mythread(), 8 * (k * 37 % 64)), 8, 0);
                SPMD_EQ(word, round * 64 + k);
            }
            upcri_gupc_put(at(upcr_mythread(), flag + 8), &round, 8, 1);
        }
    }
}

/* Puts that are too long to be copied keep their order too, and leave their source alone. */
static void long_puts(void) {
    const upcr_thread_t next = (upcr_mythread() + 1) % upcr_threads();
    static __thread unsigned char data[kLong], back[kLong];
    for (int i = 1; i <= 20; ++i) {
        const unsigned char one = (unsigned char)(100 + i);
        memset(data, i, kLong);
        upcri_gupc_put(at(next, 1000 + kLong / 2), &one, 1, 0);
        upcri_gupc_put(at(next, 1000), data, kLong, 0);
        memset(data, 0, kLong);
        upcri_gupc_put(at(next, 1000), &one, 1, 0);
        upcri_gupc_get(back, at(next, 1000), kLong, 0);
        SPMD_EQ(back[0], one);
        for (size_t k = 1; k < kLong; ++k) SPMD_EQ(back[k], i);
    }
    upcri_gupc_sync(UPCRI_GUPC_FENCE);
}

static void run(void) {
    area = spmd_alloc(2 * 4096);
    one_location();
    spmd_barrier();
    long_puts();
    spmd_barrier();
    memset(upcr_shared_to_local(spmd_part(area, upcr_mythread(), 0)), 0, 8192);
    spmd_barrier();
    message();
}

SPMD_MAIN(run)
