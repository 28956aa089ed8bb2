/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections, synchronisation, and every function of upc.h, upc_nb.h, upc_atomic.h, upc_castable.h and upc_tick.h. */
#include "contract.h"

static long cells[4] SHARED;
static unsigned char area[64] SHARED, other[64] SHARED;
static P pointers[2] SHARED;

/* ---- sections, variables, synchronisation ---- */

static int inits;
static void __upc_init_decls(void) {
    ++inits;
    __putdi2(at(&cells[3], MYTHREAD, 0), 500u + (uint64_t)MYTHREAD);
}
__attribute__((section("upc_init_array"), used)) static void (*const init_entry)(void) = __upc_init_decls;

static void sections(void) {
    int found = 0;
    CHECK((char *)cells >= __upc_shared_start + 256 && (char *)(cells + 4) <= __upc_shared_end);
    for (void (**f)(void) = __upc_init_array_start; f < __upc_init_array_end; ++f)
        found += *f == __upc_init_decls;
    CHECK(found == 1 && inits == 1 && *(long *)own(&cells[3]) == 500 + MYTHREAD);
    CHECK(&info[0] >= &__upc_pgm_info_start[0] && &info[0] < &__upc_pgm_info_end[0]);
    CHECK((char *)&__upc_fence_var >= __upc_shared_start && (char *)&__upc_fence_var < __upc_shared_end);
    CHECK(__upc_forall_depth == 0);
    __upc_forall_depth = 2;
    barrier_all();
    CHECK(__upc_forall_depth == 2);
    __upc_forall_depth = 0;
}

static void put_and_check(int round, void (*synchronise)(int)) {
    __putdi2(at(&cells[0], neighbour(1), 0), (uint64_t)(round * 10 + MYTHREAD));
    synchronise(round);
    CHECK(*(long *)own(&cells[0]) == round * 10 + neighbour(-1));
    barrier_all();
}
static void split_phase(int id) { __upc_notify(id), __upc_wait(id); }
static void split_phase_g(int id) { __upc_notifyg(id, HERE), __upc_waitg(id, HERE); }
static void whole_g(int id) { __upc_barrierg(id, HERE); }
static void fenced(int id) { __upc_fence(), __upc_fenceg(HERE), __upc_barrier(id); }
static void synchronisation(void) {
    put_and_check(1, split_phase);
    put_and_check(2, split_phase_g);
    put_and_check(3, whole_g);
    put_and_check(4, fenced);
    put_and_check(5, __upc_barrier);
    __upc_notify(ANONYMOUS), __upc_wait(6);
}

static void helpers(void) {
    int first[5];
    __upc_srand(7);
    for (int i = 0; i < 5; ++i) first[i] = __upc_rand();
    __upc_srand(7);
    for (int i = 0; i < 5; ++i) CHECK(first[i] == __upc_rand());
    __upc_funcg(1, "helpers", HERE);
    __upc_forallg(1, HERE);
    __upc_forallg(0, HERE);
    __upc_funcg(0, "helpers", HERE);
}

/* ---- upc.h ---- */

static void parts(void) {
    const P p = at(&cells[2], 1, 3), reset = at(&cells[2], 1, 0);
    CHECK(upc_threadof(p) == 1 && upc_threadofg(p, HERE) == 1 && upc_phaseof(p) == 3 &&
          upc_phaseofg(p, HERE) == 3);
    CHECK(same(upc_resetphase(p), reset) && same(upc_resetphaseg(p, HERE), reset));
    CHECK(upc_addrfield(p) - upc_addrfield(at(cells, 1, 0)) == 16 &&
          upc_addrfieldg(p, HERE) == upc_addrfield(p));
    /* 10 blocks of 8 bytes and one of 3 for THREADS 3: threads 0 and 1 have four, thread 2 three. */
    if (THREADS == 3) {
        CHECK(upc_affinitysize(83, 8, 0) == 32 && upc_affinitysize(83, 8, 1) == 27 &&
              upc_affinitysize(83, 8, 2) == 24);
        CHECK(upc_affinitysizeg(83, 8, 1, HERE) == 27 && upc_affinity(83, 8, 1, HERE) == 27);
    }
}

static int filled(const void *memory, int value, size_t n) {
    for (size_t i = 0; i < n; ++i)
        if (((const unsigned char *)memory)[i] != value) return 0;
    return 1;
}

/* Puts 20 bytes of 10 + thread to the right, copies them to the right of that, gets them back. */
#define MOVES(PUT, COPY, GET, SET)                                                                   \
    do {                                                                                             \
        const int value = 10 + MYTHREAD;                                                             \
        const P here = at(area, neighbour(1), 0), there = at(other, neighbour(2), 0);                \
        unsigned char private_memory[20], got[20] = {0};                                             \
        memset(private_memory, value, sizeof private_memory);                                        \
        PUT;                                                                                         \
        COPY;                                                                                        \
        GET;                                                                                         \
        CHECK(filled(got, value, 20));                                                               \
        barrier_all();                                                                               \
        CHECK(filled(own(area), 10 + neighbour(-1), 20) && ((unsigned char *)own(area))[20] == 0);   \
        CHECK(filled(own(other), 10 + neighbour(-2), 20) && ((unsigned char *)own(other))[20] == 0); \
        barrier_all();                                                                               \
        SET;                                                                                         \
        barrier_all();                                                                               \
        CHECK(filled(own(area), 100 + neighbour(-1), 20) && ((unsigned char *)own(area))[20] == 0);  \
        barrier_all();                                                                               \
    } while (0)

static void memory(void) {
    const int c = 0x7700 + 100 + MYTHREAD; /* the low byte counts */
    MOVES(upc_memput(here, private_memory, 20), upc_memcpy(there, here, 20), upc_memget(got, there, 20),
          upc_memset(here, c, 20));
    MOVES(upc_memputg(here, private_memory, 20, HERE), upc_memcpyg(there, here, 20, HERE),
          upc_memgetg(got, there, 20, HERE), upc_memsetg(here, c, 20, HERE));
    MOVES(upc_sync(upc_memput_nb(here, private_memory, 20)), upc_sync(upc_memcpy_nb(there, here, 20)),
          upc_sync(upc_memget_nb(got, there, 20)), upc_sync(upc_memset_nb(here, c, 20)));
    MOVES((upc_memput_nbi(here, private_memory, 20), upc_synci()),
          (upc_memcpy_nbi(there, here, 20), upc_synci()), (upc_memget_nbi(got, there, 20), upc_synci()),
          (upc_memset_nbi(here, c, 20), upc_synci()));
    upc_handle_t handle = upc_memset_nb(at(area, neighbour(1), 0), 1, 20);
    while (!upc_sync_attempt(handle)) continue;
    upc_memset_nbi(at(other, neighbour(1), 0), 2, 20);
    while (!upc_synci_attempt()) continue;
    barrier_all();
    CHECK(filled(own(area), 1, 20) && filled(own(other), 2, 20));
}

/* An object that `made` is, of so many bytes on the last thread from offset `last` on. */
static void use_object(P made, int thread, size_t offset) {
    CHECK(!same(made, null_pointer()) && upc_phaseof(made) == 0);
#ifdef STRUCT_FORM
    P p = made;
    p.vaddr += offset, p.thread = (uint32_t)thread;
#else
    const P p = made + ((P)offset << 30) + ((P)thread - upc_threadof(made)) * (1 << 20);
#endif
    __putdi2(p, 12345u + (uint64_t)MYTHREAD);
    CHECK(__getdi2(p) == 12345u + (uint64_t)MYTHREAD);
}

static void allocation(void) {
    const size_t n = (size_t)THREADS;
    P p = upc_alloc(100), q = upc_allocg(100, HERE);
    CHECK(upc_threadof(p) == (size_t)MYTHREAD && upc_threadof(q) == (size_t)MYTHREAD && !same(p, q));
    use_object(p, MYTHREAD, 92), use_object(q, MYTHREAD, 92);
    upc_free(p), upc_freeg(q, HERE);
    p = upc_global_alloc(2 * n, 50), q = upc_global_allocg(2 * n, 50, HERE);
    CHECK(upc_threadof(p) == 0 && upc_threadof(q) == 0);
    use_object(p, THREADS - 1, 92), use_object(q, THREADS - 1, 92);
    upc_free(p), upc_free(q);
    p = upc_all_alloc(n, 80), q = upc_all_allocg(n, 80, HERE);
    use_object(p, MYTHREAD, 72), use_object(q, MYTHREAD, 72);
    barrier_all();
    upc_all_free(p), upc_all_freeg(q, HERE);
    upc_free(null_pointer());
    CHECK(same(upc_alloc(0), null_pointer()));
}

/* All add 1 to thread 0's cell, under the lock. */
static void count_under(P lock) {
    if (MYTHREAD == 0) *(long *)own(&cells[1]) = 0;
    barrier_all();
    for (int i = 0; i < 4; ++i) {
        i & 1 ? upc_lockg(lock, HERE) : upc_lock(lock);
        __putdi2(at(&cells[1], 0, 0), __getdi2(at(&cells[1], 0, 0)) + 1);
        i & 1 ? upc_unlockg(lock, HERE) : upc_unlock(lock);
    }
    barrier_all();
    CHECK(__getdi2(at(&cells[1], 0, 0)) == 4u * (uint64_t)THREADS);
    barrier_all();
}

static void try_own(P lock) {
    CHECK(upc_lock_attempt(lock) == 1);
    upc_unlock(lock);
    CHECK(upc_lock_attemptg(lock, HERE) == 1);
    upc_unlock(lock);
}

static void locks(void) {
    P lock = upc_all_lock_alloc(), lock_g = upc_all_lock_allocg(HERE);
    count_under(lock), count_under(lock_g);
    if (MYTHREAD == 0) upc_lock(lock);
    barrier_all();
    if (MYTHREAD != 0) CHECK(upc_lock_attempt(lock) == 0);
    barrier_all();
    if (MYTHREAD == 0) upc_unlock(lock);
    upc_all_lock_free(lock), upc_all_lock_freeg(lock_g, HERE);
    lock = upc_global_lock_alloc(), try_own(lock), upc_lock_free(lock);
    lock = upc_global_lock_allocg(HERE), try_own(lock), upc_lock_freeg(lock, HERE);
    lock = upc_lock_alloc(), try_own(lock), upc_lock_free(lock);
}

/* ---- the other headers ---- */

enum { SET = 1024, GET = 512, ADD = 1, CSWAP = 2048, LONG = 7, PTS = 22 };

static void atomics(void) {
    P domain = upc_all_atomicdomain_alloc(LONG, SET | GET | ADD | CSWAP, 0);
    const P counter = at(&cells[2], 0, 0);
    const long one = 1, zero = 0;
    long got = -1, expected;
    if (MYTHREAD == 0) upc_atomic_strict(domain, NULL, SET, counter, &zero, NULL);
    barrier_all();
    upc_atomic_relaxed(domain, &got, ADD, counter, &one, NULL);
    CHECK(got >= 0 && got < 2 * THREADS);
    upc_atomic_strict(domain, NULL, ADD, counter, &one, NULL);
    barrier_all();
    upc_atomic_relaxed(domain, &got, GET, counter, NULL, NULL);
    CHECK(got == 2 * THREADS);
    barrier_all();
    expected = got;
    if (MYTHREAD == 0) {
        upc_atomic_strict(domain, &got, CSWAP, counter, &zero, &one);
        CHECK(got == expected && __getsdi2(counter) == (uint64_t)expected);
        upc_atomic_strict(domain, &got, CSWAP, counter, &expected, &one);
        CHECK(got == expected && __getsdi2(counter) == 1);
    }
    CHECK(upc_atomic_isfast(LONG, ADD, counter) >= 0);
    barrier_all();
    upc_all_atomicdomain_free(domain);
    /* Pointers of the program's form; their phases are not compared. */
    domain = upc_all_atomicdomain_alloc(PTS, SET | GET | CSWAP, 0);
    const P target = at(&pointers[1], MYTHREAD, 0), old = at(&cells[1], 1, 5), like_old = at(&cells[1], 1, 2),
            new = at(&cells[2], 2, 0);
    P before;
    upc_atomic_strict(domain, NULL, SET, target, &old, NULL);
    upc_atomic_strict(domain, &before, CSWAP, target, &like_old, &new);
    CHECK(same(before, old));
    upc_atomic_relaxed(domain, &before, GET, target, NULL, NULL);
    CHECK(same(before, new));
    upc_all_atomicdomain_free(domain);
}

static void castable_and_ticks(void) {
    const upc_thread_info_t me = upc_thread_info((size_t)MYTHREAD);
    const uint64_t before = upc_ticks_now();
    CHECK(upc_cast(at(&cells[1], MYTHREAD, 0)) == own(&cells[1]) && upc_cast(null_pointer()) == NULL);
    CHECK(me.guaranteedCastable == 15 && me.probablyCastable == 15);
    CHECK(upc_ticks_now() >= before && upc_ticks_to_ns(2000000) > upc_ticks_to_ns(1000));
}

static void events(void) {
    /* No tool is linked: events go nowhere. */
    const unsigned event = pupc_create_event("event", "%d");
    CHECK(pupc_control(1) == 0 && pupc_control(0) == 0);
    pupc_event_start(event, 1), pupc_event_end(event, 2), pupc_event_atomic(event, 3);
    pupc_event_startg(event, HERE, 1), pupc_event_endg(event, HERE, 2), pupc_event_atomicg(event, HERE, 3);
}

int upc_main(int argc, char **argv) {
    (void)argc, (void)argv;
    sections();
    synchronisation();
    helpers();
    parts();
    memory();
    allocation();
    locks();
    atomics();
    castable_and_ticks();
    events();
    return failures;
}
