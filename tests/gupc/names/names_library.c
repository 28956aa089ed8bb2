/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Library functions that are no collectives: parts of pointers, copies of memory at once and later, castability,
 * ticks, and what is there without a measurement tool. Plain and g forms against a serial model.
 */
#include "tests/gupc/names/names.h"

EMIT_PROGRAM_INFO;

enum { AREA = 40000, ROUNDS = 60 };
SHARED(unsigned char, area, AREA);
SHARED(P, pointers, 4);

#define HERE __FILE__, __LINE__

/* The fields where the compiler has them. */
static void check_layout(void) {
    const P p = part(area, 3, 77, 5);
    const uint64_t offset = (uint64_t)(uintptr_t)area - (uint64_t)(uintptr_t)__upc_shared_start + 77;
    uint64_t words[2] = {0, 0};
    memcpy(words, &p, sizeof p);
#if defined(GUPC_PTS_packed) && defined(NAMES_LAST)
    CHECK(sizeof p == 8 && words[0] == (offset | UINT64_C(3) << 34 | UINT64_C(5) << 44));
#elif defined(GUPC_PTS_packed)
    CHECK(sizeof p == 8 && words[0] == (offset << 30 | UINT64_C(3) << 20 | 5));
#elif defined(NAMES_LAST)
    CHECK(sizeof p == 16 && words[0] == (5 | UINT64_C(3) << 32) &&
          words[1] == (uint64_t)(uintptr_t)area + 77);
#else
    CHECK(sizeof p == 16 && words[0] == (uint64_t)(uintptr_t)area + 77 &&
          words[1] == (3 | UINT64_C(5) << 32));
#endif
    CHECK(upc_addrfield(p) == offset);
}

static void check_pointers(void) {
    uint64_t s = 1;
    P null;
    memset(&null, 0, sizeof null);
    CHECK(upc_threadof(null) == 0 && upc_phaseof(null) == 0 && upc_addrfield(null) == 0);
    CHECK(emit_equal(upc_resetphase(null), null) && emit_equal(upc_resetphaseg(null, HERE), null));
    for (int i = 0; i < ROUNDS; ++i) {
        const unsigned thread = (unsigned)random_below(&s, 1023), phase = (unsigned)random_below(&s, 1 << 20);
        const size_t byte = random_below(&s, AREA);
        const P p = part(area, (int)thread, byte, phase);
        CHECK(upc_threadof(p) == thread && upc_threadofg(p, HERE) == thread);
        CHECK(upc_phaseof(p) == phase && upc_phaseofg(p, HERE) == phase);
        CHECK(upc_addrfield(p) - upc_addrfield(emit_at(area, 0)) == byte &&
              upc_addrfieldg(p, HERE) == upc_addrfield(p));
        CHECK(emit_equal(upc_resetphase(p), part(area, (int)thread, byte, 0)));
        CHECK(emit_equal(upc_resetphaseg(p, HERE), part(area, (int)thread, byte, 0)));
    }
    for (int i = 0; i < ROUNDS; ++i) {
        const size_t total = random_below(&s, 300), block = random_below(&s, 3) ? random_below(&s, 40) : 0;
        size_t expected = 0;
        for (size_t b = 0; b < total; ++b)
            expected += (block == 0 ? 0 : b / block % (size_t)THREADS) == (size_t)MYTHREAD;
        CHECK(upc_affinitysize(total, block, (size_t)MYTHREAD) == expected);
        CHECK(upc_affinity(total, block, (size_t)MYTHREAD) == expected);
        CHECK(upc_affinitysizeg(total, block, (size_t)MYTHREAD, HERE) == expected);
    }
    CHECK(upc_affinitysize(100, 10, (size_t)THREADS) == 0);
}

/* The model of each thread's memory: all threads go through the same random steps, one of them acts. */
enum how { BLOCKING, G_FORM, HANDLE, IMPLICIT, HOWS };

static void finish(enum how how, upc_handle_t h) {
    switch (how) {
    case HANDLE:
        if (h & 1) /* never: handles are addresses */
            CHECK(0);
        while (!upc_sync_attempt(h)) {
        }
        break;
    case IMPLICIT:
        if (MYTHREAD & 1)
            upc_synci();
        else
            while (!upc_synci_attempt()) {
            }
        break;
    default: break;
    }
}

static void get(enum how how, void *dst, P src, size_t n) {
    upc_handle_t h = 0;
    switch (how) {
    case BLOCKING: upc_memget(dst, src, n); break;
    case G_FORM: upc_memgetg(dst, src, n, HERE); break;
    case HANDLE: h = upc_memget_nb(dst, src, n); break;
    default: upc_memget_nbi(dst, src, n);
    }
    finish(how, h);
}
static void put(enum how how, P dst, const void *src, size_t n) {
    upc_handle_t h = 0;
    switch (how) {
    case BLOCKING: upc_memput(dst, src, n); break;
    case G_FORM: upc_memputg(dst, src, n, HERE); break;
    case HANDLE: upc_sync(upc_memput_nb(dst, src, n)); break;
    default: upc_memput_nbi(dst, src, n);
    }
    finish(how, h);
}
static void copy(enum how how, P dst, P src, size_t n) {
    upc_handle_t h = 0;
    switch (how) {
    case BLOCKING: upc_memcpy(dst, src, n); break;
    case G_FORM: upc_memcpyg(dst, src, n, HERE); break;
    case HANDLE: h = upc_memcpy_nb(dst, src, n); break;
    default: upc_memcpy_nbi(dst, src, n);
    }
    finish(how, h);
}
static void set(enum how how, P dst, int c, size_t n) {
    upc_handle_t h = 0;
    switch (how) {
    case BLOCKING: upc_memset(dst, c, n); break;
    case G_FORM: upc_memsetg(dst, c, n, HERE); break;
    case HANDLE: h = upc_memset_nb(dst, c, n); break;
    default: upc_memset_nbi(dst, c, n);
    }
    finish(how, h);
}

static EMIT_PER_THREAD unsigned char model[8][AREA], buffer[AREA];

static void check_memory(void) {
    uint64_t s = 2;
    for (int i = 0; i < ROUNDS * HOWS; ++i) {
        static const size_t most[] = {16, 300, 5000, AREA / 2};
        const enum how how = (enum how)(i % HOWS);
        const int actor = (int)random_below(&s, (uint64_t)THREADS),
                  to = (int)random_below(&s, (uint64_t)THREADS),
                  from = (int)random_below(&s, (uint64_t)THREADS);
        const size_t n = random_below(&s, most[random_below(&s, 4)]), half = AREA / 2;
        const size_t at = random_below(&s, half - n + 1), source = half + random_below(&s, half - n + 1);
        const int c = (int)random_below(&s, 1000) - 500;
        const unsigned step = (unsigned)random_below(&s, 4);
        switch (step) {
        case 0:
            memcpy(model[to] + at, model[from] + source, n);
            if (MYTHREAD == actor) copy(how, part(area, to, at, 3), part(area, from, source, 1), n);
            break;
        case 1:
            memset(model[to] + at, c, n);
            if (MYTHREAD == actor) set(how, part(area, to, at, 0), c, n);
            break;
        case 2:
            for (size_t b = 0; b < n; ++b) model[to][source + b] = (unsigned char)(b * 7 + (size_t)i);
            if (MYTHREAD == actor) {
                for (size_t b = 0; b < n; ++b) buffer[b] = (unsigned char)(b * 7 + (size_t)i);
                put(how, part(area, to, source, 9), buffer, n);
                memset(buffer, 0, n); /* put is through with it */
            }
            break;
        default:
            if (MYTHREAD == actor) {
                get(how, buffer, part(area, from, at, 2), n);
                CHECK(memcmp(buffer, model[from] + at, n) == 0);
            }
        }
        barrier_all();
    }
    upc_memget(buffer, emit_at(area, MYTHREAD), AREA);
    CHECK(memcmp(buffer, model[MYTHREAD], AREA) == 0);
    CHECK(memcmp(own(area), model[MYTHREAD], AREA) == 0);
    barrier_all();
}

/* Several pending operations; 0 bytes; the handle of a complete one. */
static void check_nonblocking(void) {
    const P null = gupc_null();
    upc_handle_t h[16];
    int values[16], got[16];
    const int right = (MYTHREAD + 1) % THREADS;
    upc_memget(NULL, null, 0);
    upc_memput(null, NULL, 0);
    upc_memcpy(null, null, 0);
    upc_memset(null, 1, 0);
    CHECK(upc_memget_nb(NULL, null, 0) == 0 && upc_memput_nb(null, NULL, 0) == 0 &&
          upc_memcpy_nb(null, null, 0) == 0 && upc_memset_nb(null, 1, 0) == 0);
    upc_memcpy_nbi(null, null, 0);
    upc_sync(0);
    CHECK(upc_sync_attempt(0) == 1 && upc_synci_attempt() == 1);
    for (int i = 0; i < 16; ++i) {
        values[i] = 1000 * MYTHREAD + i;
        h[i] = upc_memput_nb(part(area, right, (size_t)i * 64, 0), &values[i], sizeof values[i]);
    }
    __upc_fence(); /* orders none of them, and does not mind them */
    for (int i = 15; i >= 0; --i) upc_sync(h[i]);
    for (int i = 0; i < 16; ++i) upc_memget_nbi(&got[i], part(area, right, (size_t)i * 64, 0), sizeof got[i]);
    upc_synci();
    CHECK(memcmp(values, got, sizeof got) == 0);
    /* Earlier ordinary writes are seen, though they may be pending. */
    for (int i = 0; i < 40; ++i) {
        const P there = part(area, right, 2000, 0), copied = part(area, right, 3000, 0);
        __putsi2(there, (unsigned)i);
        upc_sync(upc_memget_nb(&got[0], there, 4));
        CHECK(got[0] == i);
        upc_memput(there, &values[i % 16], 4);
        upc_memcpy_nbi(copied, there, 4);
        upc_synci();
        CHECK((int)__getsi2(copied) == values[i % 16]);
        upc_memput(there, &i, 4);
        upc_memcpy(copied, there, 4);
        upc_memget(&got[0], copied, 4);
        CHECK(got[0] == i);
    }
    barrier_all();
}

/* Pointers-to-shared are objects like others. */
static void check_stored_pointer(void) {
    const P p = part(area, THREADS - 1, 123, 4), there = emit_at(&pointers[1], (MYTHREAD + 1) % THREADS);
    P back;
    upc_memput(there, &p, sizeof p);
    upc_memget(&back, there, sizeof back);
    CHECK(emit_equal(back, p));
    barrier_all();
}

static void check_rest(void) {
    const upc_thread_info_t mine = upc_thread_info((size_t)MYTHREAD), invalid = upc_thread_info(100000);
    CHECK(mine.guaranteedCastable == 15 && mine.probablyCastable == 15);
    CHECK(invalid.guaranteedCastable == 0 && invalid.probablyCastable == 0);
    CHECK(upc_cast(gupc_null()) == NULL);
    for (int t = 0; t < THREADS; ++t) {
        const upc_thread_info_t info = upc_thread_info((size_t)t);
        const unsigned char *const p = upc_cast(part(area, t, 5, 1));
        CHECK((p != NULL) == (info.probablyCastable != 0));
        CHECK((info.guaranteedCastable & ~info.probablyCastable) == 0);
        if (p == NULL) continue;
        CHECK(*p == __getqi2(part(area, t, 5, 0)));
        if (t == MYTHREAD) CHECK(p == (unsigned char *)own(area) + 5);
    }
    uint64_t last = upc_ticks_now();
    for (int i = 0; i < 1000; ++i) {
        const uint64_t now = upc_ticks_now();
        CHECK(now >= last);
        last = now;
    }
    CHECK(upc_ticks_to_ns(0) == 0 && upc_ticks_to_ns(2000000) >= upc_ticks_to_ns(1000000));
    /* No tool is linked. */
    CHECK(pupc_control(1) == 0 && pupc_create_event("name", "%d") == 0);
    pupc_event_start(100, 1, 2.0);
    pupc_event_end(100);
    pupc_event_atomic(100, "x");
    pupc_event_startg(100, HERE, 1);
    pupc_event_endg(100, HERE);
    pupc_event_atomicg(100, HERE, 1, 2, 3);
    barrier_all();
}

int main(void) {
    check_layout();
    check_pointers();
    check_memory();
    check_nonblocking();
    check_stored_pointer();
    check_rest();
    return emit_failures;
}
