/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that strict accesses of every form forbid: store buffering (with strict reads, and with relaxed
 * ones behind strict writes), and a flag that is seen before the data. Two threads run through many instances
 * side by side, each with two variables of its own on any of the threads, and compare what both have read
 * afterwards.
 */
#include "tests/gupc/abi/entry.h"

EMIT_PROGRAM_INFO;

enum {
    INSTANCES = 1024,
    BATCH = 16,
    REPEATS = 8,
    STRIDE = 8 /* longs: variables do not share cache lines */
};

struct pair {
    emit_di x[STRIDE], y[STRIDE];
};
SHARED(struct pair, pairs, INSTANCES) __attribute__((aligned(64)));
SHARED(emit_di, results, INSTANCES * 2); /* on thread 0: what both threads of an instance read */
SHARED(emit_di, one, 1);                 /* 1, to be copied */

static int home(int i, int y) { return (y ? i / THREADS : i) % THREADS; }

#define FORMS(X) X(plain) X(instrumented) X(split) X(llvm) X(block) X(block_g) X(copy)
#define PTS(object, t) emit_at(object, t)
/* put: *object = 1 on thread t, get: returns it. Both strict. */
static void plain_put(void *object, int t) { __putsdi2(PTS(object, t), 1); }
static emit_di plain_get(void *object, int t) { return __getsdi2(PTS(object, t)); }
static void instrumented_put(void *object, int t) { __putsgdi4(PTS(object, t), 1, __FILE__, __LINE__); }
static emit_di instrumented_get(void *object, int t) {
    return __getsgdi3(PTS(object, t), __FILE__, __LINE__);
}
static void split_put(void *object, int t) { __putsdi3(t, entry_offset(object), 1); }
static emit_di split_get(void *object, int t) { return __getsdi3(t, entry_offset(object)); }
static void llvm_put(void *object, int t) { upcr_llvm_put_i64s(t, entry_offset(object), 1); }
static emit_di llvm_get(void *object, int t) { return upcr_llvm_get_i64s(t, entry_offset(object)); }
static void block_put(void *object, int t) {
    emit_di value = 1;
    __putsblk3(PTS(object, t), &value, sizeof value);
}
static emit_di block_get(void *object, int t) {
    emit_di value;
    __getsblk3(&value, PTS(object, t), sizeof value);
    return value;
}
static void block_g_put(void *object, int t) {
    emit_di value = 1;
    __putsgblk5(PTS(object, t), &value, sizeof value, __FILE__, __LINE__);
}
static emit_di block_g_get(void *object, int t) {
    emit_di value;
    __getsgblk5(&value, PTS(object, t), sizeof value, __FILE__, __LINE__);
    return value;
}
static void copy_put(void *object, int t) { __copysblk3(PTS(object, t), PTS(one, MYTHREAD), sizeof *one); }
static emit_di copy_get(void *object, int t) { return __getsdi2(PTS(object, t)); }

static emit_di relaxed_get(void *object, int t) { return __getdi2(PTS(object, t)); }

static void clear(void) {
    memset(__getaddr(PTS(pairs, MYTHREAD)), 0, sizeof *pairs * INSTANCES);
    memset(__getaddr(PTS(results, MYTHREAD)), 0xff, sizeof *results * INSTANCES * 2);
    __upc_barrier(EMIT_ANONYMOUS);
}
static void result(int i, int role, emit_di value) { __putdi2(PTS(&results[2 * i + role], 0), value); }
static int role_of(int i) {
    if (i % BATCH == 0) __upc_barrier(EMIT_ANONYMOUS); /* stay together */
    return (MYTHREAD + i / BATCH) % THREADS;
}
/* In how many instances both read what no order of all strict accesses gives. */
static int count(emit_di first, emit_di second) {
    const emit_di *const r = __getaddr(PTS(results, MYTHREAD));
    int n = 0;
    __upc_barrier(EMIT_ANONYMOUS);
    for (int i = 0; MYTHREAD == 0 && i < INSTANCES; ++i) n += r[2 * i] == first && r[2 * i + 1] == second;
    __upc_barrier(EMIT_ANONYMOUS);
    return n;
}

#define STORE_BUFFERING(name, put, get)                              \
    static void name(void) {                                         \
        clear();                                                     \
        for (int i = 0; i < INSTANCES; ++i) {                        \
            const int role = role_of(i);                             \
            void *const mine = role == 0 ? pairs[i].x : pairs[i].y;  \
            void *const other = role == 0 ? pairs[i].y : pairs[i].x; \
            if (role > 1) continue;                                  \
            put(mine, home(i, role == 1));                           \
            result(i, role, get(other, home(i, role == 0)));         \
        }                                                            \
        CHECK(count(0, 0) == 0);                                     \
    }
/* All threads see the two strict writes in one order, and each its own before its read: so one read must see
 * the other's write even if the reads are relaxed. */
#define LITMUS(form)                                                     \
    STORE_BUFFERING(form##_store_buffering, form##_put, form##_get)      \
    STORE_BUFFERING(form##_relaxed_read, form##_put, relaxed_get)        \
    /* The data are relaxed. */                                          \
    static void form##_message(void) {                                   \
        clear();                                                         \
        for (int i = 0; i < INSTANCES; ++i) {                            \
            const int role = role_of(i);                                 \
            if (role == 0) {                                             \
                __putdi2(PTS(pairs[i].x, home(i, 0)), 1);                \
                form##_put(pairs[i].y, home(i, 1));                      \
            } else if (role == 1) {                                      \
                const emit_di flag = form##_get(pairs[i].y, home(i, 1)); \
                result(i, 0, flag);                                      \
                result(i, 1, __getdi2(PTS(pairs[i].x, home(i, 0))));     \
            }                                                            \
        }                                                                \
        CHECK(count(1, 0) == 0);                                         \
    }
FORMS(LITMUS)

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    __putdi2(PTS(one, MYTHREAD), 1);
#define RUN(form) \
    for (int i = 0; i < REPEATS; ++i) form##_store_buffering(), form##_relaxed_read(), form##_message();
    FORMS(RUN)
    return emit_failures;
}
