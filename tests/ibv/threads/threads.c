/* SPDX-License-Identifier: BSD-3-Clause */
/* threads ROUNDS: UPC threads of several processes, several in each, send to all others in random order: puts and
 * gets of all lengths, blocking and not, from private and shared memory, lists in packets and in batches, atomic
 * operations, locks. Each knows what it has written, and compares. */
#include "tests/spmd/spmd.h"

enum { kSlot = 24 << 10, kPieces = 8, kLongPieces = 6, kWords = 16, kMostThreads = 64 };

static _Thread_local upcr_shared_ptr_t slots; /* in each thread a slot of every other */
static _Thread_local upcr_shared_ptr_t sums;  /* in each thread a counter for atomics, one under its lock */
static _Thread_local upcr_shared_ptr_t locks[kMostThreads];
static _Thread_local char *staged; /* this thread's shared memory, from and to which long pieces go */
static _Thread_local uint64_t rounds = 1000;

struct mine {
    uint64_t seed;
    char *model; /* of each thread: what is in this one's slot there */
    char *in;
    uint64_t added, locked;
    size_t begin, bytes;
};

static upcr_shared_ptr_t there(upcr_thread_t at, size_t byte) {
    return spmd_part(slots, at, upcr_mythread() * (size_t)kSlot + byte);
}

static char *choose(struct mine *m, upcr_thread_t at) {
    static const size_t most[] = {8, 64, 256, 1024, 4096, 20000};
    m->bytes = 1 + (size_t)spmd_below(&m->seed, most[spmd_below(&m->seed, 6)]);
    if (spmd_below(&m->seed, 4) == 0) m->bytes = 8;
    m->begin = (size_t)spmd_below(&m->seed, kSlot - m->bytes);
    if (m->bytes == 8) m->begin &= ~(size_t)7;
    return m->model + (size_t)at * kSlot + m->begin;
}
static void fill(struct mine *m, char *to, size_t bytes) {
    const uint64_t value = spmd_random(&m->seed);
    for (size_t i = 0; i < bytes; ++i) to[i] = (char)(value >> (8 * (i % 7)));
}

static void put(struct mine *m, upcr_thread_t at) {
    char *const model = choose(m, at);
    fill(m, model, m->bytes);
    upcr_memput(there(at, m->begin), model, m->bytes);
}
static void get(struct mine *m, upcr_thread_t at) {
    const char *const model = choose(m, at);
    memset(m->in, 0x55, m->bytes);
    upcr_memget(m->in, there(at, m->begin), m->bytes);
    SPMD_EQ(memcmp(m->in, model, m->bytes), 0);
}
static void put_words(struct mine *m, upcr_thread_t at) {
    const size_t first = 8 * (size_t)spmd_below(&m->seed, kSlot / 8 - kWords);
    for (size_t i = 0; i < kWords; ++i) {
        const size_t byte = first + 8 * i;
        fill(m, m->model + (size_t)at * kSlot + byte, 8);
        upcr_nbi_memput(there(at, byte), m->model + (size_t)at * kSlot + byte, 8);
    }
    upcr_wait_syncnbi_all();
}
static void put_list(struct mine *m, upcr_thread_t at) {
    const size_t step = kSlot / kPieces, bytes = step / 2;
    upcr_shared_ptr_t to[kPieces];
    const void *from[kPieces];
    for (size_t i = 0; i < kPieces; ++i) {
        char *const model = m->model + (size_t)at * kSlot + i * step;
        fill(m, model, bytes);
        from[i] = model;
        to[i] = there(at, i * step);
    }
    bupc_memput_ilist(kPieces, to, bytes, kPieces, from, bytes);
}
/* Pieces that are too long for packets, and in memory that is registered: each is a request of its own, and those of a
 * list are a batch. */
static const size_t long_step = kSlot / kLongPieces, long_bytes = kSlot / kLongPieces - 512;
static void put_long(struct mine *m, upcr_thread_t at) {
    upcr_shared_ptr_t to[kLongPieces];
    const void *from[kLongPieces];
    for (size_t i = 0; i < kLongPieces; ++i) {
        char *const model = m->model + (size_t)at * kSlot + i * long_step;
        fill(m, model, long_bytes);
        memcpy(staged + i * long_step, model, long_bytes);
        from[i] = staged + i * long_step;
        to[i] = there(at, i * long_step);
    }
    bupc_memput_ilist(kLongPieces, to, long_bytes, kLongPieces, from, long_bytes);
}
static void get_long(struct mine *m, upcr_thread_t at) {
    void *to[kLongPieces];
    upcr_shared_ptr_t from[kLongPieces];
    memset(staged, 0x55, kSlot);
    for (size_t i = 0; i < kLongPieces; ++i) {
        to[i] = staged + i * long_step;
        from[i] = there(at, i * long_step);
    }
    bupc_memget_ilist(kLongPieces, to, long_bytes, kLongPieces, from, long_bytes);
    for (size_t i = 0; i < kLongPieces; ++i)
        SPMD_EQ(memcmp(staged + i * long_step, m->model + (size_t)at * kSlot + i * long_step, long_bytes), 0);
}
static void add(struct mine *m, upcr_thread_t at) {
    const uint64_t value = spmd_below(&m->seed, 1000);
    (void)bupc_atomicU64_fetchadd_relaxed(spmd_part(sums, at, 0), value);
    m->added += value;
}
static void add_locked(struct mine *m, upcr_thread_t at) {
    upcr_lock(locks[at]);
    uint64_t value;
    upcr_memget(&value, spmd_part(sums, at, 64), sizeof value);
    ++value;
    upcr_memput(spmd_part(sums, at, 64), &value, sizeof value);
    upcr_unlock(locks[at]);
    ++m->locked;
}

static void check_all(struct mine *m) {
    for (upcr_thread_t at = 0; at < upcr_threads(); ++at) {
        upcr_memget(m->in, there(at, 0), kSlot);
        SPMD_EQ(memcmp(m->in, m->model + (size_t)at * kSlot, kSlot), 0);
    }
    const upcr_shared_ptr_t totals = spmd_part(sums, 0, 128);
    (void)bupc_atomicU64_fetchadd_relaxed(totals, m->added);
    (void)bupc_atomicU64_fetchadd_relaxed(spmd_part(sums, 0, 136), m->locked);
    spmd_barrier();
    if (upcr_mythread() != 0) return;
    uint64_t total[2], added = 0, locked = 0;
    upcr_memget(total, totals, sizeof total);
    for (upcr_thread_t at = 0; at < upcr_threads(); ++at) {
        uint64_t value;
        upcr_memget(&value, spmd_part(sums, at, 0), sizeof value);
        added += value;
        upcr_memget(&value, spmd_part(sums, at, 64), sizeof value);
        locked += value;
    }
    SPMD_EQ(added, total[0]);
    SPMD_EQ(locked, total[1]);
}

static void run(void) {
    static void (*const actions[])(struct mine *, upcr_thread_t) = {
        put, put, put, get, get, put_words, add, put_list, put_long, get_long, add_locked};
    const upcr_thread_t n = upcr_threads();
    struct mine m = {1000 + upcr_mythread(), NULL, NULL, 0, 0, 0, 0};
    slots = spmd_alloc((size_t)n * kSlot);
    sums = spmd_alloc(192);
    staged = (char *)upcr_shared_to_local(spmd_part(spmd_alloc(kSlot), upcr_mythread(), 0));
    m.model = (char *)calloc(n, kSlot);
    m.in = (char *)malloc(kSlot);
    SPMD_CHECK(n <= kMostThreads);
    for (upcr_thread_t t = 0; t < n; ++t) locks[t] = upcr_all_lock_alloc();
    spmd_barrier();
    /* For a while with few of the others, so that the connections with the rest become quiet. */
    for (uint64_t i = 0, few = 1; i < rounds; ++i) {
        if (i % 64 == 0) few = 1 + spmd_below(&m.seed, n);
        const upcr_thread_t at = (upcr_thread_t)((upcr_mythread() + i / 64 + spmd_below(&m.seed, few)) % n);
        actions[spmd_below(&m.seed, sizeof actions / sizeof actions[0])](&m, at);
    }
    spmd_barrier();
    check_all(&m);
    spmd_barrier();
    free(m.model);
    free(m.in);
}

static int spmd_main(int argc, char **argv) {
    if (argc > 1) rounds = strtoull(argv[1], NULL, 10);
    run();
    spmd_barrier();
    return 0;
}
int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, &spmd_main);
    return 99; /* not reached */
}
