/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Semaphores with every combination of flags, used as these allow; signalling puts of all sizes, whose data
 * must arrive before the signal. The sum of all posts must be acquired, and no more.
 */
#include "tests/spmd/spmd.h"

enum { kLarge = 200000 };

static upcr_shared_ptr_t board; /* of each thread: words to pass pointers in */
static upcr_shared_ptr_t space; /* of each thread: kLarge bytes for each writer to its right */
static uint64_t seed;

/* Thread `owner` allocates; all threads get the pointer. Collective. */
static upcr_pshared_ptr_t semaphore(upcr_thread_t owner, int flags) {
    upcr_pshared_ptr_t s = upcr_null_pshared;
    if (upcr_mythread() == owner) {
        s = bupc_sem_alloc(flags);
        SPMD_EQ(upcr_threadof_pshared(s), owner);
        upcr_put_shared(spmd_part(board, owner, 0), 0, &s, sizeof s);
    }
    spmd_barrier();
    upcr_get_shared(&s, spmd_part(board, owner, 0), 0, sizeof s);
    spmd_barrier();
    return s;
}
static void gone(upcr_pshared_ptr_t s, upcr_thread_t who) {
    spmd_barrier();
    if (who == upcr_mythread()) {
        SPMD_EQ(bupc_sem_try(s), 0); /* nothing is left */
        bupc_sem_free(s);
    }
    spmd_barrier();
}

static void take_one(upcr_pshared_ptr_t s, uint64_t how) {
    if (how % 2 == 0)
        bupc_sem_wait(s);
    else
        while (!bupc_sem_try(s)) continue;
}

/* One producer, one consumer, one turn at a time: the most that a boolean semaphore can do, and all others can do
 * too. `data` is guarded by the semaphores only. */
static void ping_pong(int flags, upcr_thread_t owner, upcr_thread_t a, upcr_thread_t b) {
    const upcr_pshared_ptr_t to_b = semaphore(owner, flags),
                             to_a = semaphore((owner + 1) % upcr_threads(), flags);
    const upcr_shared_ptr_t data = spmd_part(board, (owner + 2) % upcr_threads(), 64);
    const uint64_t rounds = spmd_effort(40);
    const upcr_thread_t me = upcr_mythread();
    if (a != b) {
        for (uint64_t i = 0; i < rounds && (me == a || me == b); ++i) {
            if (me == a) {
                upcr_put_shared_val(data, 0, i + 1, 8);
                bupc_sem_post(to_b);
                take_one(to_a, i);
                SPMD_EQ(upcr_get_shared_val(data, 0, 8), 2 * i + 5);
            } else {
                take_one(to_b, i / 2);
                SPMD_EQ(upcr_get_shared_val(data, 0, 8), i + 1);
                upcr_put_shared_val(data, 0, 2 * i + 5, 8);
                bupc_sem_post(to_a);
            }
        }
    }
    spmd_barrier();
    if (me == a) SPMD_EQ(bupc_sem_try(to_a), 0);
    if (me == b) bupc_sem_free(to_b);
    if (me == a) bupc_sem_free(to_a);
    spmd_barrier();
}

/* Producers post `each`, in random portions if the flags allow it; consumers acquire all of it. */
static void flow(int flags, upcr_thread_t owner, uint64_t *random) {
    const upcr_pshared_ptr_t s = semaphore(owner, flags);
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads();
    const int boolean = (flags & BUPC_SEM_BOOLEAN) != 0;
    const upcr_thread_t producers = flags & BUPC_SEM_SPRODUCER ? 1 : n,
                        consumers = flags & BUPC_SEM_SCONSUMER ? 1 : n;
    const uint64_t each = spmd_effort(60) * n;      /* a multiple of both numbers */
    const upcr_thread_t consumer = (owner + 1) % n; /* the single one is not the owner */
    if (boolean) {
        if (me == owner) {
            bupc_sem_post(s);
            if (producers > 1) bupc_sem_post(s); /* changes nothing */
        }
        spmd_barrier();
        if (me == consumer) {
            SPMD_EQ(bupc_sem_try(s), 1);
            SPMD_EQ(bupc_sem_try(s), 0);
        }
        spmd_barrier();
        if (consumers == 1)
            gone(s, consumer);
        else
            gone(s, owner);
        return;
    }
    uint64_t to_post = producers == 1 ? (me == owner ? each : 0) : each / n;
    uint64_t to_take = consumers == 1 ? (me == consumer ? each : 0) : each / n;
    /* Posts first: no thread waits for its own posts. */
    while (to_post != 0) {
        const uint64_t k = 1 + spmd_below(random, to_post < 7 ? to_post : 7);
        if (k == 1 && spmd_below(random, 2))
            bupc_sem_post(s);
        else
            bupc_sem_postN(s, k);
        to_post -= k;
    }
    while (to_take != 0) {
        const uint64_t k = consumers == 1 ? 1 + spmd_below(random, to_take < 7 ? to_take : 7) : 1;
        switch (spmd_below(random, 3)) {
        case 0: bupc_sem_waitN(s, k); break;
        case 1:
            while (!bupc_sem_tryN(s, k)) continue;
            break;
        default:
            for (uint64_t i = 0; i < k; ++i) take_one(s, i);
            break;
        }
        to_take -= k;
    }
    bupc_sem_postN(s, 0);
    if (consumers != 1 || me == consumer) {
        bupc_sem_waitN(s, 0);
        SPMD_EQ(bupc_sem_tryN(s, 0), 1);
    }
    gone(s, consumers == 1 ? consumer : owner);
}

/* A wait for a large amount is satisfied by many small posts; a try for too much acquires nothing. */
static void portions(void) {
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads(), owner = n - 1, waiter = 0;
    const upcr_pshared_ptr_t s = semaphore(owner, 0);
    if (me != waiter || n == 1)
        for (int i = 0; i < 50; ++i) bupc_sem_postN(s, n == 1 ? 2 : 2 * i % 4);
    if (me == waiter) {
        const uint64_t total = n == 1 ? 100 : (uint64_t)(n - 1) * 50;
        bupc_sem_waitN(s, total - 1);
        SPMD_EQ(bupc_sem_tryN(s, 2), 0);
        SPMD_EQ(bupc_sem_tryN(s, 1), 1);
    }
    spmd_barrier();
    if (me == owner) bupc_sem_postN(s, BUPC_SEM_MAXVALUE);
    spmd_barrier();
    if (me == waiter) bupc_sem_waitN(s, BUPC_SEM_MAXVALUE);
    gone(s, owner);
}

/* Every thread sends to its right neighbour, which checks the data as soon as the signal has arrived, and
 * releases the buffer by another signal. */
static void signalling(void) {
    static const size_t sizes[] = {0, 1, 3, 8, 64, 511, 512, 513, 4096, 65000, 65537, kLarge};
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads(), right = (me + 1) % n,
                        left = (me + n - 1) % n;
    const upcr_pshared_ptr_t full = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER),
                             empty =
                                 bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    upcr_pshared_ptr_t right_full, left_empty;
    unsigned char *const mine = (unsigned char *)malloc(kLarge);
    const unsigned char *const got = (const unsigned char *)upcr_shared_to_local(spmd_part(space, me, 0));
    upcr_put_shared(spmd_part(board, me, 16), 0, &full, sizeof full);
    upcr_put_shared(spmd_part(board, me, 32), 0, &empty, sizeof empty);
    spmd_barrier();
    upcr_get_shared(&right_full, spmd_part(board, right, 16), 0, sizeof full);
    upcr_get_shared(&left_empty, spmd_part(board, left, 32), 0, sizeof empty);
    for (uint64_t round = 0, rounds = spmd_effort(10); round < rounds; ++round) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            const size_t bytes = sizes[i];
            const uint64_t mark = round * 131 + i * 7;
            for (size_t k = 0; k < bytes; ++k) mine[k] = (unsigned char)(k * 5 + mark + me);
            if (i % 2 == round % 2) {
                bupc_memput_signal(spmd_part(space, right, 0), mine, bytes, right_full, 1 + i % 3);
                memset(mine, 0xee, bytes); /* may be used again */
            } else {
                bupc_memput_signal_async(spmd_part(space, right, 0), mine, bytes, right_full, 1 + i % 3);
            }
            bupc_sem_waitN(full, 1 + i % 3);
            for (size_t k = 0; k < bytes; ++k)
                if (got[k] != (unsigned char)(k * 5 + mark + left))
                    SPMD_FAIL("byte %zu of %zu is %02x after the signal, not %02x", k, bytes, got[k],
                              (unsigned char)(k * 5 + mark + left));
            bupc_sem_post(left_empty);
            bupc_sem_wait(empty);
        }
    }
    spmd_barrier();
    SPMD_EQ(bupc_sem_try(full), 0);
    bupc_sem_free(full);
    bupc_sem_free(empty);
    bupc_sem_free(upcr_null_pshared);
    free(mine);
    spmd_barrier();
}

static void run(void) {
    static const int kinds[] = {0, BUPC_SEM_BOOLEAN, BUPC_SEM_INTEGER},
                     producers[] = {0, BUPC_SEM_SPRODUCER, BUPC_SEM_MPRODUCER},
                     consumers[] = {0, BUPC_SEM_SCONSUMER, BUPC_SEM_MCONSUMER};
    const upcr_shared_ptr_t p = spmd_alloc(128), q = spmd_alloc(kLarge);
    const upcr_thread_t n = upcr_threads();
    const char *const given = getenv("SPMD_SEED");
    uint64_t random;
    if (upcri_mypthread() == 0) {
        board = p;
        space = q;
        seed = given != NULL ? strtoull(given, NULL, 10) : 4711;
    }
    spmd_barrier();
    random = seed * 1000 + upcr_mythread();
    for (upcr_thread_t i = 0; i < 27; ++i) {
        const int flags = kinds[i % 3] | producers[i / 3 % 3] | consumers[i / 9];
        ping_pong(flags, i % n, (i + 1) % n, (i + 2) % n); /* the owner may be neither of the two */
        flow(flags, i % n, &random);
    }
    portions();
    signalling();
}

SPMD_MAIN(run)
