/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All threads allocate and free at random; many objects are freed by other threads than the allocating one, which
 * pass them on in a table in shared memory. Each object contains its size and a pattern, checked before it is
 * freed, so that overlapping objects are detected. At the end nothing is in use.
 */
#include "tests/spmd/spmd.h"

enum { SLOTS = 24 };

/* The beginning of an object and, if it is long enough, its end. */
static void write_pattern(upcr_shared_ptr_t p, size_t bytes) {
    uint64_t mark = upcr_addrfield_shared(p) * 31 + upcr_threadof_shared(p) + bytes;
    upcr_put_shared_val(p, 0, bytes, 8);
    upcr_put_shared_val(p, 8, mark, 8);
    if (bytes >= 24) upcr_put_shared_val(p, (ptrdiff_t)(bytes - 8) / 8 * 8, mark, 8);
}

static void check_and_free(upcr_shared_ptr_t p) {
    size_t bytes = upcr_get_shared_val(p, 0, 8);
    uint64_t mark = upcr_addrfield_shared(p) * 31 + upcr_threadof_shared(p) + bytes;
    SPMD_EQ(upcr_get_shared_val(p, 8, 8), mark);
    if (bytes >= 24) SPMD_EQ(upcr_get_shared_val(p, (ptrdiff_t)(bytes - 8) / 8 * 8, 8), mark);
    upcr_free(p);
}

static upcr_shared_ptr_t allocate(uint64_t *seed) {
    size_t bytes = 16 + (unsigned)spmd_random(seed) % (1u << (5 + (unsigned)spmd_random(seed) % 12));
    upcr_shared_ptr_t p;
    switch ((unsigned)spmd_random(seed) % 4) {
    case 0: p = upcr_global_alloc(upcr_threads() + (unsigned)spmd_random(seed) % 3, bytes); break;
    case 1:
        p = upcr_global_alloc(1, bytes); /* in thread 0's own heap */
        break;
    default: p = upcr_alloc(bytes); SPMD_EQ(upcr_threadof_shared(p), upcr_mythread());
    }
    SPMD_CHECK(!upcr_isnull_shared(p));
    SPMD_EQ(upcr_phaseof_shared(p), 0);
    SPMD_EQ(upcr_addrfield_shared(p) % 64, 0);
    write_pattern(p, bytes);
    return p;
}

static void run(void) {
    upcr_thread_t me = upcr_mythread(), threads = upcr_threads();
    uint64_t seed = me + 1;
    struct upcr_heap_info before, after;
    upcr_shared_ptr_t table, lock, mine[SLOTS];
    const size_t rounds = spmd_effort(4000);
    size_t i, round, held = 0;

    /* One slot per thread, under a lock: the visitor stores an object there or removes the one that is there. */
    table = upcr_all_alloc(threads, sizeof(upcr_shared_ptr_t));
    lock = upcr_all_lock_alloc();
    {
        upcr_shared_ptr_t none = upcr_null_shared;
        upcr_put_shared(spmd_part(table, me, 0), 0, &none, sizeof none);
    }
    spmd_barrier();
    upcr_heap_info(me, &before);
    spmd_barrier();

    for (round = 0; round < rounds; ++round) {
        unsigned what = (unsigned)spmd_random(&seed) % 3;
        if (what == 0 && held < SLOTS) {
            mine[held++] = allocate(&seed);
        } else if (what == 1 && held > 0) {
            i = (unsigned)spmd_random(&seed) % held;
            check_and_free(mine[i]);
            mine[i] = mine[--held];
        } else if (round % 8 == 0 && held > 0) {
            upcr_shared_ptr_t slot = spmd_part(table, (unsigned)spmd_random(&seed) % threads, 0), found;
            upcr_lock(lock);
            upcr_get_shared(&found, slot, 0, sizeof found);
            upcr_put_shared(slot, 0, &mine[held - 1], sizeof found);
            upcr_unlock(lock);
            --held;
            if (!upcr_isnull_shared(found)) mine[held++] = found;
        }
    }
    while (held > 0) check_and_free(mine[--held]);
    spmd_barrier();
    {
        upcr_shared_ptr_t left;
        upcr_get_shared(&left, spmd_part(table, me, 0), 0, sizeof left);
        if (!upcr_isnull_shared(left)) check_and_free(left);
    }
    spmd_barrier();
    upcr_heap_info(me, &after);
    SPMD_EQ(after.local_used, before.local_used);
    SPMD_EQ(after.local_objects, before.local_objects);
    SPMD_EQ(after.global_used, before.global_used);
    SPMD_EQ(after.global_objects, before.global_objects);
    spmd_barrier();
    upcr_all_lock_free(lock);
    upcr_all_free(table);
}

SPMD_MAIN(run)
