/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared allocation as compiled programs see it: where objects are, that all of their bytes are memory, who
 * frees them, and that without memory the result is a null pointer, for locks too, and the program continues. Run
 * with a heap of a few MiB.
 */
#include "tests/gupc/library/heaplock.h"

EMIT_PROGRAM_INFO;

SHARED(upc_shared_ptr_t, table, 1);

static void publish(int thread, upc_shared_ptr_t p) { __putsblk3(emit_at(table, thread), &p, sizeof p); }
static upc_shared_ptr_t published(int thread) {
    upc_shared_ptr_t p;
    __getsblk3(&p, emit_at(table, thread), sizeof p);
    return p;
}

static void nothing(void) {
    CHECK(gupc_is_null(upc_alloc(0)));
    CHECK(gupc_is_null(upc_local_alloc(0, 8)) && gupc_is_null(upc_local_alloc(8, 0)));
    CHECK(gupc_is_null(upc_global_alloc(0, 8)) && gupc_is_null(upc_global_alloc(8, 0)));
    CHECK(gupc_is_null(upc_all_alloc(0, 8)) && gupc_is_null(upc_all_alloc(8, 0)));
    CHECK(gupc_is_null(upc_local_alloc(SIZE_MAX, 3)) && gupc_is_null(upc_global_alloc(SIZE_MAX / 2, 5)));
    CHECK(gupc_is_null(upc_all_alloc(SIZE_MAX, SIZE_MAX)) && gupc_is_null(upc_alloc(SIZE_MAX)));
    const size_t wraps = (1ul << 61) + 1; /* as many words are 8 bytes again: on each of a few threads */
    CHECK(gupc_is_null(upc_local_alloc(wraps, 8)) &&
          gupc_is_null(upc_global_alloc((size_t)THREADS * wraps, 8)));
    upc_free(gupc_null());
    upc_freeg(gupc_null(), HERE);
    upc_all_free(gupc_null());
    upc_all_freeg(gupc_null(), HERE);
}

/* An object of the thread's own; its right neighbour frees it. */
static void own(void) {
    enum { BYTES = 3000 };
    const upc_shared_ptr_t objects[3] = {upc_alloc(BYTES), upc_local_alloc(3, BYTES / 3),
                                         upc_allocg(BYTES, HERE)};
    const int left = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < 3; ++i) {
        const upc_shared_ptr_t p = objects[i];
        CHECK(gupc_thread(p) == (upcr_thread_t)MYTHREAD && gupc_phase(p) == 0 && gupc_offset(p) % 64 == 0);
        char *here = __getaddr(p);
        memset(here, i + 1, BYTES);
    }
    publish(MYTHREAD, objects[0]);
    barrier_all();
    const upc_shared_ptr_t other = published(left);
    for (unsigned k = 0; k < BYTES; k += 999) CHECK(__getqi2(emit_add_bytes(other, k)) == 1);
    barrier_all();
    upc_free(other);
    for (int i = 1; i < 3; ++i) CHECK(__getqi2(emit_add_bytes(objects[i], BYTES - 1)) == i + 1);
    upc_free(objects[1]);
    upc_freeg(objects[2], HERE);
    barrier_all();
}

/* Block i of `shared [bytes] char[blocks * bytes]` is on thread i % THREADS. */
static void check_blocks(upc_shared_ptr_t p, size_t blocks, size_t bytes, unsigned long mark) {
    CHECK(!gupc_is_null(p) && gupc_thread(p) == 0 && gupc_phase(p) == 0);
    for (size_t i = 0; i < blocks; ++i) {
        const upc_shared_ptr_t block = on_thread(emit_add_bytes(p, i / THREADS * bytes), (int)(i % THREADS));
        __putdi2(block, mark + i);
        __putdi2(emit_add_bytes(block, bytes - 8), ~(mark + i));
    }
    for (size_t i = 0; i < blocks; ++i) {
        const upc_shared_ptr_t block = on_thread(emit_add_bytes(p, i / THREADS * bytes), (int)(i % THREADS));
        CHECK(__getdi2(block) == mark + i && __getdi2(emit_add_bytes(block, bytes - 8)) == ~(mark + i));
    }
}

static void global(void) {
    const size_t blocks = 2 * (size_t)THREADS + 1;
    const upc_shared_ptr_t p = upc_global_alloc(blocks, 1000), q = upc_global_allocg(blocks, 1000, HERE);
    CHECK(!emit_equal(p, q));
    publish(MYTHREAD, p);
    check_blocks(p, blocks, 1000, (unsigned long)MYTHREAD << 32);
    check_blocks(q, blocks, 1000, (unsigned long)MYTHREAD << 32 | 1u << 31);
    barrier_all();
    for (int t = 0; t < THREADS; ++t) CHECK(t == MYTHREAD || !emit_equal(published(t), p));
    CHECK(__getdi2(p) == (unsigned long)MYTHREAD << 32);
    barrier_all();
    upc_free(p);
    upc_freeg(q, HERE);
}

static void all(void) {
    for (int round = 0; round < 20; ++round) { /* more than can be pending at once */
        const upc_shared_ptr_t p = round % 2 ? upc_all_alloc(THREADS, 64) : upc_all_allocg(THREADS, 64, HERE);
        publish(MYTHREAD, p);
        __putdi2(on_thread(p, MYTHREAD), (unsigned long)(round * THREADS + MYTHREAD));
        barrier_all();
        CHECK(emit_equal(p, published(0)));
        for (int t = 0; t < THREADS; ++t)
            CHECK(__getdi2(on_thread(p, t)) == (unsigned long)(round * THREADS + t));
        if (round % 2)
            upc_all_free(p);
        else
            upc_all_freeg(p, HERE);
        barrier_all();
    }
}

/* Fills the calling thread's heap with objects of `bytes`, a list through their first bytes. */
static size_t fill(size_t bytes, upc_shared_ptr_t *list) {
    size_t n = 0;
    for (upc_shared_ptr_t p; !gupc_is_null(p = upc_alloc(bytes)); ++n) {
        memcpy(__getaddr(p), list, sizeof *list);
        *list = p;
    }
    return n;
}
static void empty(upc_shared_ptr_t list) {
    while (!gupc_is_null(list)) {
        const upc_shared_ptr_t p = list;
        memcpy(&list, __getaddr(p), sizeof list);
        upc_free(p);
    }
}

static void exhaustion(void) {
    upc_shared_ptr_t list = gupc_null();
    const size_t large = fill(100000, &list), small = fill(64, &list);
    CHECK(large >= 10 && large < 1000);
    CHECK(gupc_is_null(upc_allocg(64, HERE)) && gupc_is_null(upc_local_alloc(1, 1)));
    CHECK(gupc_is_null(upc_global_lock_alloc()) && gupc_is_null(upc_lock_alloc()));
    CHECK(gupc_is_null(upc_global_lock_allocg(HERE)));
    barrier_all();
    CHECK(gupc_is_null(upc_global_alloc(THREADS, 64)) && gupc_is_null(upc_global_allocg(1, 1, HERE)));
    CHECK(gupc_is_null(upc_all_alloc(THREADS, 64)) && gupc_is_null(upc_all_allocg(1, 1, HERE)));
    CHECK(gupc_is_null(upc_all_lock_alloc()) && gupc_is_null(upc_all_lock_allocg(HERE)));
    barrier_all();
    empty(list);
    /* As before, with objects of all threads instead of one's. */
    list = gupc_null();
    const size_t again = fill(100000, &list);
    CHECK(again + 1 >= large && again <= large + small);
    empty(list);
    barrier_all();
    const upc_shared_ptr_t p = upc_all_alloc(THREADS, large * 80000), lock = upc_all_lock_alloc();
    CHECK(!gupc_is_null(p) && !gupc_is_null(lock));
    __putdi2(on_thread(p, (MYTHREAD + 1) % THREADS), 5);
    upc_lock(lock);
    upc_unlock(lock);
    upc_all_lock_free(lock);
    upc_all_free(p);
    barrier_all();
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    nothing();
    own();
    global();
    all();
    exhaustion();
    return emit_failures;
}
