/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective allocation, zero sizes, layouts, heap_info, and both heaps growing to the whole segment in turn.
 * Started with a small heap (UPC_SHARED_HEAP_SIZE=2MB), so that heaps grow and shrink.
 */
#include "tests/spmd/spmd.h"

static __thread upcr_thread_t me, threads;

static size_t total_used(void) {
    struct upcr_heap_info info;
    upcr_heap_info(me, &info);
    return info.local_used + info.global_used;
}

/* Equal pointers on all threads: compared with thread 0's. */
static void check_same(upcr_shared_ptr_t p) {
    upcr_shared_ptr_t cell = upcr_all_alloc(1, sizeof p), first;
    if (me == 0) upcr_put_shared(cell, 0, &p, sizeof p);
    spmd_barrier();
    upcr_get_shared(&first, cell, 0, sizeof first);
    SPMD_CHECK(upcr_isequal_shared_shared(first, p));
    upcr_all_free(cell);
}

static void zero_sizes(void) {
    SPMD_CHECK(upcr_isnull_shared(upcr_alloc(0)));
    SPMD_CHECK(upcr_isnull_shared(upcr_local_alloc(0, 8)));
    SPMD_CHECK(upcr_isnull_shared(upcr_local_alloc(8, 0)));
    SPMD_CHECK(upcr_isnull_shared(upcr_global_alloc(0, 8)));
    SPMD_CHECK(upcr_isnull_shared(upcr_global_alloc(8, 0)));
    SPMD_CHECK(upcr_isnull_shared(upcr_all_alloc(0, 8)));
    SPMD_CHECK(upcr_isnull_shared(upcr_all_alloc(8, 0)));
    upcr_free(upcr_null_shared);
    upcr_all_free(upcr_null_shared);
    upcr_lock_free(upcr_null_shared);
    upcr_all_lock_free(upcr_null_shared);
}

/* Each thread writes its whole part of a blocked object; neighbours in the heap must stay intact. */
static void layouts(void) {
    const size_t blocks[] = {1, 2, 3, 5, 16, 17, 100}, sizes[] = {1, 7, 64, 1000};
    size_t b, s, i;
    for (b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
        for (s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
            const size_t part = (blocks[b] + threads - 1) / threads * sizes[s];
            upcr_shared_ptr_t x = upcr_all_alloc(blocks[b], sizes[s]),
                              y = upcr_all_alloc(blocks[b], sizes[s]);
            SPMD_EQ(upcr_threadof_shared(x), 0);
            SPMD_EQ(upcr_phaseof_shared(x), 0);
            if (blocks[b] > 1 || me == 0) {
                for (i = 0; i < part; ++i) {
                    upcr_put_shared_val(spmd_part(x, me, i), 0, (i + me) & 0xff, 1);
                    upcr_put_shared_val(spmd_part(y, me, i), 0, (i + me + 1) & 0xff, 1);
                }
            }
            spmd_barrier();
            if (blocks[b] > 1 || me == 0) {
                for (i = 0; i < part; ++i) {
                    SPMD_EQ(upcr_get_shared_val(spmd_part(x, me, i), 0, 1), (i + me) & 0xff);
                    SPMD_EQ(upcr_get_shared_val(spmd_part(y, me, i), 0, 1), (i + me + 1) & 0xff);
                }
            }
            upcr_all_free(y);
            upcr_all_free(x);
        }
    }
}

/* Collective calls without any barrier between them, some threads late, more of them than mailboxes. */
static void runs_of_collectives(void) {
    enum { N = 100 };
    upcr_shared_ptr_t p[N];
    size_t i, spin;
    volatile unsigned sink = 0;
    upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS); /* legal inside a split-phase barrier */
    for (i = 0; i < N; ++i) {
        p[i] = upcr_all_alloc(threads, 40 + i);
        if ((i + me) % 7 == 0)
            for (spin = 0; spin < 20000; ++spin) sink += spin;
        if (i >= 3) upcr_all_free(p[i - 3]);
    }
    upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
    check_same(p[N - 1]);
    for (i = N - 3; i < N; ++i) upcr_all_free(p[i]);
}

/* The last thread to call frees: until then the object exists. */
static void all_free_waits_for_all(void) {
    upcr_shared_ptr_t p;
    size_t used;
    spmd_barrier();
    p = upcr_all_alloc(threads, 4096);
    spmd_barrier();
    used = total_used();
    spmd_barrier();
    if (me != 0) upcr_all_free(p);
    spmd_barrier();
    if (threads > 1) SPMD_EQ(total_used(), used);
    spmd_barrier();
    if (me == 0) upcr_all_free(p);
    spmd_barrier();
    SPMD_CHECK(total_used() < used);
    spmd_barrier();
}

/* Nearly the whole segment for one heap, freed, then for the other, and again. */
static void heaps_take_turns(void) {
    struct upcr_heap_info info;
    upcr_shared_ptr_t p;
    int round;
    for (round = 0; round < 3; ++round) {
        spmd_barrier();
        upcr_heap_info(me, &info);
        spmd_barrier();
        SPMD_CHECK(info.local_largest > info.size / 10 * 8);
        p = upcr_alloc(info.local_largest); /* all threads at once */
        spmd_barrier();
        upcr_free(p);
        spmd_barrier();
        upcr_heap_info(me, &info);
        spmd_barrier();
        SPMD_CHECK(info.global_largest > info.size / 10 * 8);
        p = upcr_all_alloc(2 * threads, info.size / 10 * 4);
        upcr_put_shared_val(spmd_part(p, me, info.size / 10 * 8 / 8 * 8 - 8), 0, 1, 8);
        spmd_barrier();
        upcr_all_free(p);
        if (me == 0) { /* by one thread, as much as there is for all */
            spmd_barrier();
            upcr_heap_info(me, &info);
            p = upcr_global_alloc(2 * threads, info.global_largest / 2 / 64 * 64);
            upcr_free(p);
        } else {
            spmd_barrier();
        }
    }
    spmd_barrier();
}

/*
 * The last thread's local heap leaves little memory: the global heap grows page by page, to the very end, and
 * the memory that it reserved on other threads before it failed on the last is returned.
 */
static void tight_growth(void) {
    enum { PAGE = 4096, LEFT = 5 };
    struct upcr_heap_info last, other;
    upcr_shared_ptr_t hog = upcr_null_shared, *pages = NULL;
    upcr_thread_t t;
    size_t n = 0;
    spmd_barrier();
    if (me == threads - 1) {
        upcr_heap_info(me, &last);
        hog = upcr_alloc(last.local_largest - LEFT * PAGE);
    }
    spmd_barrier();
    if (me == 0) {
        upcr_heap_info(me, &other);
        pages = malloc(other.size / PAGE * sizeof *pages);
        for (;;) {
            upcr_heap_info(threads - 1, &last);
            for (t = 0; t < threads; ++t) {
                upcr_heap_info(t, &other);
                SPMD_EQ(other.global_begin, last.global_begin);
            }
            if (last.global_largest < PAGE) break;
            pages[n++] = upcr_global_alloc(2 * threads, PAGE / 2);
        }
        SPMD_CHECK(n >= LEFT);
        while (n > 0) upcr_free(pages[--n]);
        free(pages);
    }
    upcr_free(hog);
    spmd_barrier();
}

static void numbers(void) {
    struct upcr_heap_info a, b;
    upcr_shared_ptr_t p, q;
    spmd_barrier();
    upcr_heap_info((me + 1) % threads, &a);
    spmd_barrier();
    p = upcr_alloc(100);
    q = upcr_all_alloc(2 * threads, 100);
    spmd_barrier();
    upcr_heap_info((me + 1) % threads, &b);
    SPMD_EQ(b.size, a.size);
    SPMD_EQ(b.local_used, a.local_used + 128);
    SPMD_EQ(b.local_objects, a.local_objects + 1);
    SPMD_CHECK(b.local_free < a.local_free);
    SPMD_EQ(b.global_used, a.global_used + 256);
    SPMD_CHECK(b.local_end <= b.global_begin);
    SPMD_CHECK(b.local_largest <= b.local_free);
    SPMD_CHECK(b.global_largest <= b.global_free);
    spmd_barrier();
    upcr_free(p);
    upcr_all_free(q);
    spmd_barrier();
}

static void run(void) {
    size_t used;
    me = upcr_mythread();
    threads = upcr_threads();
    used = total_used();
    spmd_barrier();
    zero_sizes();
    layouts();
    runs_of_collectives();
    all_free_waits_for_all();
    numbers();
    tight_growth();
    heaps_take_turns();
    SPMD_EQ(total_used(), used);
    spmd_barrier();
}

SPMD_MAIN(run)
