/* SPDX-License-Identifier: BSD-3-Clause */
/* Every name of mupc.h, on any number of UPC threads: gets and puts, pointers, static data, barriers, memory, locks. */
#include "tests/mupc/programs/check.h"

enum { kCount = 40, kBlock = 3 };
MUPC_SHARED(scalar, 1, sizeof(uint64_t));
MUPC_SHARED(array, THREADS * 5, sizeof(uint64_t));
MUPC_SHARED(blocked, (kCount + kBlock - 1) / kBlock, kBlock * sizeof(uint64_t));

static void statics(void) {
    CHECK(get64(scalar) == 0 && scalar.th == 0 && scalar.ph == 0);
    for (int i = 0; i < THREADS * 5; ++i) CHECK(get64(mupc_add(array, i, 8, 1)) == 0);
    UPC_barrier(1);
    for (int i = 0; i < 5; ++i)
        put64(mupc_add(array, i * THREADS + MYTHREAD, 8, 1), (uint64_t)(100 * MYTHREAD + i));
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < kCount; ++i) put64(mupc_add(blocked, i, 8, kBlock), (uint64_t)i * i);
    UPC_barrier(2);
    for (int i = 0; i < THREADS * 5; ++i)
        CHECK(get64(mupc_add(array, i, 8, 1)) == (uint64_t)(100 * (i % THREADS) + i / THREADS));
    const uint64_t *const mine = (const uint64_t *)mupc_local(part(array, MYTHREAD, 0));
    for (int i = 0; i < 5; ++i) CHECK(mine[i] == (uint64_t)(100 * MYTHREAD + i));
    for (int i = 0; i < kCount; ++i) {
        const mupc_shared_ptr_t p = mupc_add(blocked, i, 8, kBlock);
        CHECK(p.th == (uint32_t)(i / kBlock % THREADS) && p.ph == (uint32_t)(i % kBlock));
        CHECK(get64(p) == (uint64_t)i * i);
        const mupc_shared_ptr_t back = mupc_add(p, -i, 8, kBlock);
        CHECK(back.va == blocked.va && back.th == 0 && back.ph == 0);
    }
    CHECK(mupc_add(scalar, 2, 8, 0).va == scalar.va + 16);
}

/* Relaxed accesses of one thread to the same bytes see each other; strict ones and the two syncs complete. */
static void accesses(void) {
    static uint64_t words[2048], got[2048];
    const mupc_shared_ptr_t space = upc_all_alloc((size_t)THREADS, sizeof words);
    const int next = (MYTHREAD + 1) % THREADS;
    for (uint64_t round = 1; round < 200; ++round) {
        put64(part(space, next, 8), round);
        put64(part(space, next, 16), ~round);
        CHECK(get64(part(space, next, 8)) == round);
        uint64_t later = 0;
        mupc_get_start(&later, part(space, next, 16), 8);
        put64(part(space, next, 16), 0); /* must not overtake the get */
        _UPCRTS_GetAllSync();
        CHECK(later == ~round);
        _UPCRTS_PutAllSync();
        CHECK(get64(part(space, next, 16)) == 0);
    }
    UPC_barrier(3);
    for (size_t i = 0; i < 2048; ++i) words[i] = i + (uint64_t)MYTHREAD;
    mupc_put_strict(part(space, next, 0), words, sizeof words);
    mupc_get_strict(got, part(space, next, 0), sizeof got);
    CHECK(memcmp(words, got, sizeof got) == 0);
    upc_notify(4);
    upc_wait(4);
    UPC_notify(-5);
    UPC_wait(-5);
    upc_barrier(0);
    if (MYTHREAD == 0) upc_free(space);
}

static void memory(void) {
    const mupc_shared_ptr_t all = upc_all_alloc((size_t)THREADS * 2, 24), none = upc_local_alloc(0, 8);
    const mupc_shared_ptr_t global = upc_global_alloc((size_t)THREADS, 8), local = upc_local_alloc(3, 5);
    CHECK(none.va == 0 && none.th == 0 && none.ph == 0);
    CHECK(all.th == 0 && all.ph == 0 && global.th == 0 && local.th == (uint32_t)MYTHREAD);
    put64(part(mupc_add(array, MYTHREAD, 8, 1), MYTHREAD, 0), all.va);
    UPC_barrier(1);
    for (int i = 0; i < THREADS; ++i)
        CHECK(get64(mupc_add(array, i, 8, 1)) == all.va); /* the same everywhere */
    for (int i = 0; i < THREADS; ++i) put64(part(global, i, 0), (uint64_t)i);
    memset(mupc_local(local), MYTHREAD, 15);
    upc_free(global);
    upc_free(local);
    upc_free(none);
    UPC_barrier(2);
    if (MYTHREAD == THREADS - 1) upc_free(all);
    /* Ten times what there is: only memory that is really freed lasts so long. */
    for (int i = 0; i < 80; ++i) {
        const mupc_shared_ptr_t big = upc_local_alloc(1024, 8192),
                                spread = upc_global_alloc((size_t)THREADS, 1 << 20);
        CHECK(big.va != 0 && spread.va != 0);
        upc_free(big);
        upc_free(spread);
    }
    UPC_barrier(3);
}

static void count_under(mupc_shared_ptr_t lock) {
    enum { kTimes = 50 };
    for (int i = 0; i < kTimes; ++i) {
        if (i % 2 == 0)
            upc_lock(lock);
        else
            while (!upc_lock_attempt(lock)) continue;
        put64(scalar, get64(scalar) + 1);
        upc_unlock(lock);
    }
    UPC_barrier(1);
    CHECK(get64(scalar) == (uint64_t)(kTimes * THREADS));
    UPC_barrier(2);
    if (MYTHREAD == 0) put64(scalar, 0);
    UPC_barrier(3);
}

static void locks(void) {
    const mupc_shared_ptr_t all = upc_all_lock_alloc(), unused = upc_global_lock_alloc();
    CHECK(all.th == 0 && all.ph == 0 && unused.th == 0);
    upc_lock_init(all); /* all threads at once: one does it */
    count_under(all);
    if (MYTHREAD == THREADS - 1) upc_lock(all);
    UPC_barrier(4);
    upc_lock_init(all); /* returns at once, and the lock stays as it is */
    CHECK(upc_lock_attempt(all) == 0);
    UPC_barrier(5);
    if (MYTHREAD == THREADS - 1) upc_unlock(all);
    UPC_barrier(6);
    count_under(all);
    upc_lock_free(unused); /* was never initialised */
    if (MYTHREAD == 0) upc_lock_free(all);
    upc_lock_free(part(unused, 0, -unused.va)); /* null */
}

int main(int argc, char **argv) {
    CHECK(argc == 2 && strcmp(argv[1], "argument") == 0);
    CHECK(_UPCRTS_init() == 0); /* again: nothing happens */
    statics();
    accesses();
    UPC_barrier(9);
    if (MYTHREAD == 0) put64(scalar, 0);
    memory();
    locks();
    return 0;
}
