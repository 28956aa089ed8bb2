/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking access in every form and size: memory to memory, typed, register, float and double; relaxed and
 * strict; both pointer kinds; offsets of both signs; constant and variable sizes. Each thread
 * writes to every thread's memory, its own included, and all threads read back.
 */
#include "tests/spmd/spmd.h"

enum { kSlot = 256, kForms = 24 };

static upcr_shared_ptr_t area; /* per thread: [writer][form] slots of kSlot bytes */

static upcr_shared_ptr_t slot(upcr_thread_t owner, upcr_thread_t writer, int form) {
    return spmd_part(area, owner, ((size_t)writer * kForms + (size_t)form) * kSlot);
}
static uint64_t pattern(upcr_thread_t owner, upcr_thread_t writer, int form) {
    uint64_t state = ((uint64_t)owner << 40) + ((uint64_t)writer << 20) + (uint64_t)form;
    return spmd_random(&state);
}
/* Phases must not matter: the pointers with phases get some. */
static upcr_shared_ptr_t phased(upcr_shared_ptr_t p) {
    return upcr_pshared_to_shared_withphase(upcr_shared_to_pshared(p), 3);
}

/* One form with a constant size: put by `put`, read by `get`, and nothing beside it is touched. */
#define FORM(form, TYPE, put, get)                                                \
    do {                                                                          \
        const TYPE value = (TYPE)pattern(owner, me, form), zero = (TYPE)0;        \
        const upcr_shared_ptr_t s = phased(slot(owner, me, form));                \
        const upcr_pshared_ptr_t p = upcr_shared_to_pshared(s);                   \
        TYPE before = 1, got = 0, after = 1;                                      \
        (void)s, (void)p;                                                         \
        { put; }                                                                  \
        { get; }                                                                  \
        SPMD_CHECK(got == value);                                                 \
        upcr_get_shared(&before, s, -(ptrdiff_t)sizeof(TYPE) + 32, sizeof(TYPE)); \
        upcr_get_pshared(&after, p, (ptrdiff_t)sizeof(TYPE) + 32, sizeof(TYPE));  \
        SPMD_CHECK(before == zero && after == zero);                              \
    } while (0)
/* All ways to write and read one integer type of n bytes, at byte 32 of the slot. */
#define INTEGER(form, TYPE, n)                                                                               \
    do {                                                                                                     \
        FORM(form, TYPE, upcr_put_shared(s, 32, &value, n), upcr_get_shared(&got, s, 32, n));                \
        FORM(form, TYPE, upcr_put_pshared(p, 32, &value, n), upcr_get_pshared(&got, p, 32, n));              \
        FORM(form, TYPE, upcr_put_shared_strict(s, 32, &value, n), upcr_get_shared_strict(&got, s, 32, n));  \
        FORM(form, TYPE, upcr_put_pshared_strict(p, 32, &value, n),                                          \
             upcr_get_pshared_strict(&got, p, 32, n));                                                       \
        FORM(form, TYPE, upcr_put_shared_val(s, 32, value, n), got = (TYPE)upcr_get_shared_val(s, 32, n));   \
        FORM(form, TYPE, upcr_put_pshared_val(p, 32, value, n), got = (TYPE)upcr_get_pshared_val(p, 32, n)); \
        FORM(form, TYPE, upcr_put_shared_val_strict(s, 32, value, n),                                        \
             got = (TYPE)upcr_get_shared_val_strict(s, 32, n));                                              \
        FORM(form, TYPE, upcr_put_pshared_val_strict(p, 32, value, n),                                       \
             got = (TYPE)upcr_get_pshared_val_strict(p, 32, n));                                             \
        FORM(form, TYPE, upcr_put_shared_type(s, 32, value, TYPE), upcr_get_shared_type(got, s, 32, TYPE));  \
        FORM(form, TYPE, upcr_put_pshared_type(p, 32, value, TYPE),                                          \
             upcr_get_pshared_type(got, p, 32, TYPE));                                                       \
        FORM(form, TYPE, upcr_put_shared_type_strict(s, 32, value, TYPE),                                    \
             upcr_get_shared_type_strict(got, s, 32, TYPE));                                                 \
        FORM(form, TYPE, upcr_put_pshared_type_strict(p, 32, value, TYPE),                                   \
             upcr_get_pshared_type_strict(got, p, 32, TYPE));                                                \
    } while (0)

static void integers(upcr_thread_t owner) {
    const upcr_thread_t me = upcr_mythread();
    INTEGER(0, uint8_t, 1);
    INTEGER(1, uint16_t, 2);
    INTEGER(2, uint32_t, 4);
    INTEGER(3, uint64_t, 8);
}

static void floats(upcr_thread_t owner) {
    const upcr_thread_t me = upcr_mythread();
    FORM(4, float, upcr_put_shared_floatval(s, 32, value), got = upcr_get_shared_floatval(s, 32));
    FORM(4, float, upcr_put_pshared_floatval(p, 32, value), got = upcr_get_pshared_floatval(p, 32));
    FORM(4, float, upcr_put_shared_floatval_strict(s, 32, value),
         got = upcr_get_shared_floatval_strict(s, 32));
    FORM(4, float, upcr_put_pshared_floatval_strict(p, 32, value),
         got = upcr_get_pshared_floatval_strict(p, 32));
    FORM(5, double, upcr_put_shared_doubleval(s, 32, value), got = upcr_get_shared_doubleval(s, 32));
    FORM(5, double, upcr_put_pshared_doubleval(p, 32, value), got = upcr_get_pshared_doubleval(p, 32));
    FORM(5, double, upcr_put_shared_doubleval_strict(s, 32, value),
         got = upcr_get_shared_doubleval_strict(s, 32));
    FORM(5, double, upcr_put_pshared_doubleval_strict(p, 32, value),
         got = upcr_get_pshared_doubleval_strict(p, 32));
}

struct pair {
    int a, b;
};
struct big {
    char bytes[100];
};

/* Structures; the one of eight bytes is aligned to four only. */
static void structures(upcr_thread_t owner) {
    const upcr_thread_t me = upcr_mythread();
    const upcr_shared_ptr_t s = phased(slot(owner, me, 6));
    struct pair in = {(int)pattern(owner, me, 6), -5}, out = {0, 0};
    struct big large, back;
    upcr_put_shared_type(s, 36, in, struct pair);
    upcr_get_pshared_type(out, upcr_shared_to_pshared(s), 36, struct pair);
    SPMD_CHECK(out.a == in.a && out.b == in.b);
    out.a = out.b = 0;
    upcr_get_shared(&out, s, 36, sizeof out);
    SPMD_CHECK(out.a == in.a && out.b == in.b);
    memset(&large, (int)me + 1, sizeof large);
    upcr_put_shared_type_strict(s, 64, large, struct big);
    upcr_get_shared_type_strict(back, s, 64, struct big);
    SPMD_CHECK(memcmp(&large, &back, sizeof large) == 0);
}

/* Sizes that are not constants, through memory and registers. */
static void run_time_sizes(upcr_thread_t owner) {
    const upcr_thread_t me = upcr_mythread();
    const upcr_shared_ptr_t s = slot(owner, me, 7);
    unsigned char in[200], out[202];
    volatile size_t n;
    for (n = 0; n <= 200; ++n) {
        for (size_t i = 0; i < n; ++i) in[i] = (unsigned char)(n + i + me);
        memset(out, 0xee, sizeof out);
        upcr_put_shared(s, 8, in, n);
        upcr_get_shared(out + 1, s, 8, n);
        SPMD_CHECK(memcmp(in, out + 1, n) == 0 && out[0] == 0xee && out[1 + n] == 0xee);
        memset(out, 0xee, sizeof out);
        upcr_put_pshared_strict(upcr_shared_to_pshared(s), 16, in, n);
        upcr_get_pshared_strict(out + 1, upcr_shared_to_pshared(s), 16, n);
        SPMD_CHECK(memcmp(in, out + 1, n) == 0 && out[0] == 0xee && out[1 + n] == 0xee);
    }
    for (n = 1; n <= 8; ++n) {
        const uint64_t value = pattern(owner, me, 7), mask = n == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
        upcr_put_shared_val(s, 24, 0, 8);
        upcr_put_shared_val(s, 24, value, n);
        SPMD_EQ(upcr_get_shared_val(s, 24, n), value & mask);
        SPMD_EQ(upcr_get_shared_val(s, 24, 8), value & mask);
        upcr_put_shared_val(s, 24, UINT64_MAX, 8);
        upcr_put_pshared_val_strict(upcr_shared_to_pshared(s), 24, value, n);
        SPMD_EQ(upcr_get_pshared_val_strict(upcr_shared_to_pshared(s), 24, 8), (value & mask) | ~mask);
    }
}

/* The values that other threads wrote into this thread's memory are visible to plain loads. */
static void check_mine(void) {
    const upcr_thread_t me = upcr_mythread();
    for (upcr_thread_t writer = 0; writer < upcr_threads(); ++writer) {
        const char *form0 = (const char *)upcr_shared_to_local(slot(me, writer, 0));
        uint64_t words[4] = {0, 0, 0, 0};
        double d;
        memcpy(&words[0], form0 + 0 * kSlot + 32, 1);
        memcpy(&words[1], form0 + 1 * kSlot + 32, 2);
        memcpy(&words[2], form0 + 2 * kSlot + 32, 4);
        memcpy(&words[3], form0 + 3 * kSlot + 32, 8);
        SPMD_EQ(words[0], (uint8_t)pattern(me, writer, 0));
        SPMD_EQ(words[1], (uint16_t)pattern(me, writer, 1));
        SPMD_EQ(words[2], (uint32_t)pattern(me, writer, 2));
        SPMD_EQ(words[3], pattern(me, writer, 3));
        memcpy(&d, form0 + 5 * kSlot + 32, 8);
        SPMD_CHECK(d == (double)pattern(me, writer, 5));
    }
}

static void run(void) {
    const upcr_shared_ptr_t p = spmd_alloc((size_t)upcr_threads() * kForms * kSlot);
    if (upcri_mypthread() == 0) area = p; /* the same on all threads */
    spmd_barrier();
    for (upcr_thread_t i = 0; i < upcr_threads(); ++i) {
        const upcr_thread_t owner = (upcr_mythread() + i) % upcr_threads();
        integers(owner);
        floats(owner);
        structures(owner);
        run_time_sizes(owner);
    }
    spmd_barrier();
    check_mine();
}

SPMD_MAIN(run)
