/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic domains: operations on four types against a serial model, pointers-to-shared in the program's form
 * (which UPC_CSWAP compares without their phases), all threads on one object.
 */
#include "tests/gupc/names/names.h"

EMIT_PROGRAM_INFO;

SHARED(long, objects, 8);
SHARED(P, pointers, 2);

enum {
    INTEGER_OPS = ATOMIC_ADD | ATOMIC_MULT | ATOMIC_AND | ATOMIC_OR | ATOMIC_XOR | ATOMIC_MIN | ATOMIC_MAX |
                  ATOMIC_GET | ATOMIC_SET | ATOMIC_CSWAP | ATOMIC_SUB | ATOMIC_INC | ATOMIC_DEC
};

static EMIT_PER_THREAD int turn; /* relaxed and strict in turn */
static void call(P domain, void *fetch, upc_op_t op, P target, const void *a, const void *b) {
    if (turn++ & 1)
        upc_atomic_strict(domain, fetch, op, target, a, b);
    else
        upc_atomic_relaxed(domain, fetch, op, target, a, b);
}

#define MODEL(NAME, TYPE, CODE, OPS)                                                              \
    static void model_##NAME(void) {                                                              \
        static const int ops[] = {ATOMIC_GET,  ATOMIC_SET, ATOMIC_CSWAP, ATOMIC_ADD, ATOMIC_SUB,  \
                                  ATOMIC_MULT, ATOMIC_MIN, ATOMIC_MAX,   ATOMIC_INC, ATOMIC_DEC}; \
        const P domain = upc_all_atomicdomain_alloc(CODE, OPS, 0);                                \
        const P at = emit_at(&objects[MYTHREAD % 8], (MYTHREAD + 1) % THREADS);                   \
        uint64_t s = 5 + (uint64_t)MYTHREAD;                                                      \
        TYPE model = 3, got;                                                                      \
        upc_memput(at, &model, sizeof model);                                                     \
        barrier_all();                                                                            \
        for (int i = 0; i < 200; ++i) {                                                           \
            const int op = ops[random_below(&s, 10)];                                             \
            const TYPE x = (TYPE)random_below(&s, 100), y = (TYPE)(x + 1), before = model;        \
            const TYPE guess = random_below(&s, 2) ? model : x;                                   \
            const int none = op == ATOMIC_GET || op == ATOMIC_INC || op == ATOMIC_DEC;            \
            const int fetch = op == ATOMIC_GET || random_below(&s, 2);                            \
            call(domain, fetch ? &got : NULL, (upc_op_t)op, at,                                   \
                 none                 ? NULL                                                      \
                 : op == ATOMIC_CSWAP ? &guess                                                    \
                                      : &x,                                                       \
                 op == ATOMIC_CSWAP ? &y : NULL);                                                 \
            if (fetch) CHECK(got == before);                                                      \
            switch (op) {                                                                         \
            case ATOMIC_SET: model = x; break;                                                    \
            case ATOMIC_CSWAP: model = guess == model ? y : model; break;                         \
            case ATOMIC_ADD: model = (TYPE)(model + x); break;                                    \
            case ATOMIC_SUB: model = (TYPE)(model - x); break;                                    \
            case ATOMIC_MIN: model = x < model ? x : model; break;                                \
            case ATOMIC_MAX: model = x > model ? x : model; break;                                \
            case ATOMIC_INC: model = (TYPE)(model + 1); break;                                    \
            case ATOMIC_DEC: model = (TYPE)(model - 1); break;                                    \
            default: break;                                                                       \
            }                                                                                     \
            if (op == ATOMIC_MULT) { /* by 0 or 1 only: no overflow */                            \
                const TYPE was = before, bit = (TYPE)(x - x / 2 * 2), times_x = (TYPE)(was * x);  \
                upc_memget(&got, at, sizeof got);                                                 \
                CHECK(got == times_x);                                                            \
                model = (TYPE)(was * bit);                                                        \
                call(domain, NULL, ATOMIC_SET, at, &model, NULL);                                 \
            }                                                                                     \
        }                                                                                         \
        upc_memget(&got, at, sizeof got);                                                         \
        CHECK(got == model);                                                                      \
        barrier_all();                                                                            \
        upc_all_atomicdomain_free(domain);                                                        \
    }
MODEL(int, int, UPC_INT, INTEGER_OPS)
MODEL(long, long, UPC_LONG, INTEGER_OPS)
MODEL(u64, uint64_t, UPC_UINT64, INTEGER_OPS)
MODEL(double, double, UPC_DOUBLE, INTEGER_OPS & ~(ATOMIC_AND | ATOMIC_OR | ATOMIC_XOR))

static void check_bits(void) {
    const P domain =
        upc_all_atomicdomain_alloc(UPC_LONG, ATOMIC_AND | ATOMIC_OR | ATOMIC_XOR | ATOMIC_SET, 2);
    const P at = emit_at(&objects[MYTHREAD % 8], (MYTHREAD + 1) % THREADS);
    const long start = 0xff00, mask = 0x0ff0;
    long got = 0;
    call(domain, NULL, ATOMIC_SET, at, &start, NULL);
    call(domain, &got, ATOMIC_AND, at, &mask, NULL);
    CHECK(got == 0xff00);
    call(domain, &got, ATOMIC_OR, at, &start, NULL);
    CHECK(got == 0x0f00);
    call(domain, &got, ATOMIC_XOR, at, &mask, NULL);
    CHECK(got == 0xff00);
    upc_memget(&got, at, sizeof got);
    CHECK(got == 0xf0f0);
    barrier_all();
    upc_all_atomicdomain_free(domain);
    upc_all_atomicdomain_free(gupc_null());
}

static void check_pointers(void) {
    const P domain = upc_all_atomicdomain_alloc(UPC_PTS, ATOMIC_GET | ATOMIC_SET | ATOMIC_CSWAP, 1);
    const P at = emit_at(&pointers[0], (MYTHREAD + 1) % THREADS);
    const P one = part(objects, 1, 8, 3), same = part(objects, 1, 8, 9),
            other_thread = part(objects, 2, 8, 3), other_byte = part(objects, 1, 9, 3),
            two = part(objects, 0, 24, 7), null = gupc_null();
    P got;
    call(domain, NULL, ATOMIC_SET, at, &one, NULL);
    for (int i = 0; i < 2; ++i) { /* relaxed and strict */
        call(domain, &got, ATOMIC_CSWAP, at, &other_thread, &two);
        CHECK(emit_equal(got, one));
        call(domain, &got, ATOMIC_CSWAP, at, &other_byte, &two);
        CHECK(emit_equal(got, one));
        call(domain, &got, ATOMIC_CSWAP, at, &null, &two);
        CHECK(emit_equal(got, one));
        call(domain, &got, ATOMIC_GET, at, NULL, NULL);
        CHECK(emit_equal(got, one));
        call(domain, &got, ATOMIC_CSWAP, at, &same, &two); /* but for its phase */
        CHECK(emit_equal(got, one));
        call(domain, &got, ATOMIC_SET, at, &one, NULL);
        CHECK(emit_equal(got, two));
    }
    barrier_all();
    upc_all_atomicdomain_free(domain);
}

/* All threads count in one object; the value of an earlier ordinary put is not lost. */
static void check_together(void) {
    enum { TIMES = 300 };
    const P domain = upc_all_atomicdomain_alloc(UPC_LONG, ATOMIC_INC | ATOMIC_ADD | ATOMIC_GET, 0);
    const P at = emit_at(&objects[0], THREADS - 1);
    const long three = 3;
    long got = 0;
    barrier_all();
    if (MYTHREAD == 0) __putdi2(at, 1000);
    barrier_all();
    for (int i = 0; i < TIMES; ++i) {
        call(domain, NULL, ATOMIC_INC, at, NULL, NULL);
        call(domain, &got, ATOMIC_ADD, at, &three, NULL);
        CHECK(got > 1000);
    }
    barrier_all();
    call(domain, &got, ATOMIC_GET, at, NULL, NULL);
    CHECK(got == 1000 + 4L * TIMES * THREADS);
    CHECK(upc_atomic_isfast(UPC_LONG, ATOMIC_ADD, emit_at(objects, MYTHREAD)) == 1);
    CHECK(upc_atomic_isfast(UPC_PTS, ATOMIC_ADD, emit_at(objects, MYTHREAD)) == 0);
    barrier_all();
    upc_all_atomicdomain_free(domain);
}

int main(void) {
    model_int();
    model_long();
    model_u64();
    model_double();
    check_bits();
    check_pointers();
    check_together();
    return emit_failures;
}
