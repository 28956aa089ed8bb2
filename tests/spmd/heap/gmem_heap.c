/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heaps by the calls of upcr/gmem_heap.h: growth in chunks by the caller's function, water marks, null when
 * memory is out (after which everything still works), and the broadcast. All threads do it at once: objects
 * that overlap are detected by their contents.
 */
#include "tests/spmd/spmd.h"
#include <upcr/gmem_heap.h>

enum { KB = 1024, MB = 1024 * KB, CHUNK = 4 * MB, PIECE = 100 * KB, ODD = 2900 * KB };

static __thread upcr_thread_t me, threads;
static __thread unsigned local_calls, global_calls;
static __thread size_t asked;

static upcr_shared_ptr_t extend_local(size_t nbytes) {
    ++local_calls;
    asked = nbytes;
    return upcr_heap_local_extend(nbytes);
}
static upcr_shared_ptr_t extend_global(size_t nbytes) {
    ++global_calls;
    return upcr_heap_global_extend(nbytes);
}
static upcr_shared_ptr_t extend_never(size_t nbytes) {
    asked = nbytes;
    return upcr_null_shared;
}

static upcr_shared_ptr_t local(size_t bytes) {
    return upcr_heap_alloc(upcr_local_heap[me], 0, extend_local, bytes);
}
static upcr_shared_ptr_t global(size_t bytes) {
    return upcr_heap_alloc(upcr_global_heap, 1, extend_global, bytes);
}

static struct upcr_heap_info info(upcr_thread_t thread) {
    struct upcr_heap_info i;
    upcr_heap_info(thread, &i);
    return i;
}

/* The owner of an object writes marks at its ends, and checks them later. */
static void write_marks(upcr_shared_ptr_t p, size_t bytes, uint64_t mark) {
    upcr_put_shared_val(p, 0, mark, 8);
    upcr_put_shared_val(p, (ptrdiff_t)bytes - 8, ~mark, 8);
}
static void check_marks(upcr_shared_ptr_t p, size_t bytes, uint64_t mark) {
    SPMD_EQ(upcr_get_shared_val(p, 0, 8), mark);
    SPMD_EQ(upcr_get_shared_val(p, (ptrdiff_t)bytes - 8, 8), ~mark);
}

static void broadcasts(void) {
    static const size_t sizes[] = {1, 8, sizeof(upcr_shared_ptr_t), 15, 17, 64, 1000};
    unsigned round, s;
    size_t i;
    for (round = 0; round < 8; ++round)
        for (s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
            unsigned char value[1002];
            for (i = 0; i < sizeof value; ++i) value[i] = (unsigned char)(me == 0 ? i * 7 + round + s : 0xee);
            if (me == 0)
                upcr_broadcast_put(value + 1, sizes[s]);
            else
                upcr_broadcast_get(value + 1, sizes[s]);
            for (i = 0; i < sizes[s]; ++i) SPMD_EQ(value[1 + i], (unsigned char)((1 + i) * 7 + round + s));
            if (me != 0) SPMD_EQ(value[0], 0xee);
            if (me != 0) SPMD_EQ(value[1 + sizes[s]], 0xee);
        }
}

static void names(void) {
    upcr_thread_t t;
    SPMD_EQ(upcr_threadof_shared(upcr_global_heap), 0);
    for (t = 0; t < threads; ++t) {
        const upcr_heap_p heap = upcr_local_heap[t];
        SPMD_EQ(upcr_threadof_shared(heap), t);
        SPMD_CHECK(!upcr_isequal_shared_shared(heap, upcr_global_heap));
        SPMD_EQ(upcr_addrfield_shared(heap) % _Alignof(upcr_heap_t), 0);
    }
}

/* The first object extends the heap by a chunk, the next ones do not. */
static void local_chunks(void) {
    const struct upcr_heap_info before = info(me);
    upcr_shared_ptr_t first, second;
    upcr_heap_node_t node;
    upcr_heap_node_p free_list;
    local_calls = 0;
    SPMD_CHECK(upcr_isnull_shared(local(0)));
    SPMD_CHECK(upcr_isnull_shared(upcr_heap_alloc(upcr_local_heap[me], 0, extend_never, CHUNK)));
    SPMD_CHECK(asked > 0 && asked <= CHUNK);
    SPMD_EQ(info(me).local_end, before.local_end);
    SPMD_CHECK(upcr_isnull_shared(upcr_heap_alloc(upcr_local_heap[me], 0, NULL, CHUNK)));
    first = local(PIECE);
    SPMD_CHECK(!upcr_isnull_shared(first));
    SPMD_EQ(upcr_threadof_shared(first), me);
    SPMD_EQ(upcr_phaseof_shared(first), 0);
    SPMD_EQ(upcr_addrfield_shared(first) % 64, 0);
    SPMD_EQ(local_calls, 1);
    SPMD_CHECK(asked >= PIECE && asked <= CHUNK);
    SPMD_EQ(info(me).local_end, before.local_end + CHUNK);
    second = local(CHUNK / 2);
    SPMD_EQ(local_calls, 1);
    SPMD_EQ(info(me).local_end, before.local_end + CHUNK);
    SPMD_CHECK(upcr_heap_node(second, &node));
    SPMD_EQ(node.size, CHUNK / 2);
    SPMD_EQ(node.is_global, 0);
    free_list = node.next;
    SPMD_CHECK(upcr_isnull_shared(free_list) && upcr_isnull_shared(node.prev));
    SPMD_CHECK(!upcr_heap_node(spmd_part(second, me, 64), &node));
    upcr_heap_free(second);
    SPMD_CHECK(!upcr_heap_node(second, &node));
    upcr_free(first); /* either interface frees objects of the other */
    SPMD_EQ(info(me).local_objects, before.local_objects);
}

/* One thread extends; the water mark moves on all. */
static void global_chunks(void) {
    upcr_thread_t t;
    if (me == threads - 1) {
        const struct upcr_heap_info before = info(0);
        upcr_shared_ptr_t p;
        upcr_heap_node_t node;
        global_calls = 0;
        p = global(PIECE);
        SPMD_CHECK(!upcr_isnull_shared(p));
        SPMD_EQ(upcr_threadof_shared(p), 0);
        SPMD_EQ(global_calls, 1);
        for (t = 0; t < threads; ++t) SPMD_EQ(info(t).global_begin, before.global_begin - CHUNK);
        SPMD_CHECK(upcr_heap_node(p, &node));
        SPMD_EQ(node.is_global, 1);
        SPMD_EQ(node.size, PIECE);
        SPMD_EQ(info(0).global_objects, before.global_objects + 1);
        for (t = 0; t < threads; ++t) write_marks(spmd_part(p, t, 0), PIECE, t);
        for (t = 0; t < threads; ++t) check_marks(spmd_part(p, t, 0), PIECE, t);
        upcr_heap_free(p);
        SPMD_EQ(info(0).global_objects, before.global_objects);
    }
    spmd_barrier();
}

/* Objects of `bytes` until there are no more. Returns how many; all are marked and in list[]. */
static unsigned fill(upcr_shared_ptr_t *list, unsigned most, size_t bytes, int is_global) {
    unsigned n = 0;
    for (;; ++n) {
        upcr_shared_ptr_t p = is_global ? global(bytes) : local(bytes);
        if (upcr_isnull_shared(p)) return n;
        SPMD_CHECK(n < most);
        list[n] = p;
        write_marks(p, bytes, ((uint64_t)me << 32) + n);
    }
}
static void empty(upcr_shared_ptr_t *list, unsigned n, size_t bytes) {
    while (n-- > 0) {
        check_marks(list[n], bytes, ((uint64_t)me << 32) + n);
        upcr_heap_free(list[n]);
    }
}

/* Every thread fills its local heap: then neither heap can grow, and both work again after objects are freed. */
static void exhaustion(void) {
    enum { MOST = 500 };
    upcr_shared_ptr_t *list = malloc(MOST * sizeof *list), all = upcr_null_shared, again;
    const size_t size = info(me).size;
    unsigned n;
    n = fill(list, MOST, ODD, 0);
    SPMD_CHECK((uint64_t)n * ODD > size / 10 * 9);
    SPMD_CHECK(upcr_isnull_shared(local(ODD)));
    SPMD_CHECK(upcr_isnull_shared(upcr_heap_local_extend(ODD)));
    SPMD_CHECK(upcr_isnull_shared(local((size_t)-1)));
    SPMD_CHECK(upcr_isnull_shared(local((size_t)1 << 45)));
    spmd_barrier();
    SPMD_CHECK(upcr_isnull_shared(global(ODD)));
    SPMD_CHECK(upcr_isnull_shared(global((size_t)-1)));
    SPMD_CHECK(upcr_isnull_shared(upcr_heap_global_extend(ODD)));
    spmd_barrier();
    upcr_heap_free(list[0]); /* one fits again, a second one does not */
    again = local(ODD);
    SPMD_CHECK(!upcr_isnull_shared(again));
    SPMD_CHECK(upcr_isnull_shared(local(ODD)));
    list[0] = again;
    write_marks(again, ODD, (uint64_t)me << 32);
    spmd_barrier();
    empty(list, n, ODD);
    spmd_barrier();
    if (me == 0) { /* the global heap gets the memory that the local ones returned */
        all = global(size / 10 * 9);
        SPMD_CHECK(!upcr_isnull_shared(all));
    }
    spmd_barrier();
    SPMD_CHECK(upcr_isnull_shared(local(size / 5)));
    spmd_barrier();
    upcr_heap_free(all); /* null is ignored */
    spmd_barrier();
    again = local(size / 5); /* and the other way round */
    SPMD_CHECK(!upcr_isnull_shared(again));
    upcr_heap_free(again);
    spmd_barrier();
    /* All compete for the global heap until it is full. */
    n = fill(list, MOST, ODD, 1);
    spmd_barrier();
    SPMD_CHECK(info(me).global_objects * (uint64_t)ODD > size / 10 * 9);
    SPMD_CHECK(upcr_isnull_shared(global(ODD)));
    SPMD_CHECK(upcr_isnull_shared(local(ODD)));
    spmd_barrier();
    empty(list, n, ODD);
    spmd_barrier();
    SPMD_EQ(info(me).global_objects, 0);
    spmd_barrier();
    free(list);
}

/* All threads extend either heap, a page at a time once there is little left, and each gets what the other
 * does not use. A lost change of a water mark would leave a heap with more or less memory than it has recorded. */
static void opposite_growth(void) {
    const unsigned rounds = (unsigned)spmd_effort(2000);
    uint64_t seed = me + 7;
    upcr_thread_t t;
    unsigned i, got = 0;
    for (i = 0; i < rounds; ++i) {
        const upcr_shared_ptr_t p =
            spmd_below(&seed, 4) == 0 ? upcr_heap_global_extend(1) : upcr_heap_local_extend(1);
        got += !upcr_isnull_shared(p);
        upcr_poll(); /* others access this thread's water marks in between */
    }
    SPMD_CHECK(got > 0);
    spmd_barrier();
    for (t = 0; t < threads; ++t) {
        const struct upcr_heap_info there = info(t);
        SPMD_EQ(there.global_begin, info(0).global_begin);
        SPMD_EQ(there.local_objects + there.global_objects, 0);
        SPMD_EQ(there.local_largest, there.size); /* the water marks agree with both heaps */
        SPMD_EQ(there.global_largest, there.size);
    }
    spmd_barrier();
}

/* Both heaps grow towards each other at the same time, on all threads. */
static void contention(void) {
    enum { SLOTS = 16 };
    const unsigned rounds = (unsigned)spmd_effort(400);
    upcr_shared_ptr_t slot[SLOTS];
    size_t bytes[SLOTS] = {0};
    uint64_t seed = me + 1;
    unsigned i, round, got = 0;
    for (round = 0; round < rounds; ++round) {
        i = (unsigned)spmd_below(&seed, SLOTS);
        if (bytes[i] != 0) {
            check_marks(slot[i], bytes[i], (uint64_t)me << 32 | i);
            upcr_heap_free(slot[i]);
            bytes[i] = 0;
            continue;
        }
        bytes[i] = (1 + spmd_below(&seed, 64)) * (spmd_below(&seed, 4) == 0 ? 128 * KB : 256);
        slot[i] = spmd_below(&seed, 2) == 0 ? global(bytes[i]) : local(bytes[i]);
        if (upcr_isnull_shared(slot[i])) {
            bytes[i] = 0;
            continue;
        }
        ++got;
        write_marks(slot[i], bytes[i], (uint64_t)me << 32 | i);
    }
    SPMD_CHECK(got > rounds / 10);
    for (i = 0; i < SLOTS; ++i) {
        if (bytes[i] == 0) continue;
        check_marks(slot[i], bytes[i], (uint64_t)me << 32 | i);
        upcr_heap_free(slot[i]);
    }
    spmd_barrier();
    SPMD_EQ(info(me).global_objects, 0);
}

static void run(void) {
    me = upcr_mythread();
    threads = upcr_threads();
    names();
    broadcasts();
    local_chunks();
    spmd_barrier();
    global_chunks();
    exhaustion();
    opposite_growth();
    contention();
}

SPMD_MAIN(run)
