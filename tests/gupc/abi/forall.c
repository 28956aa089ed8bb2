/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_forall as it is compiled: the loop keeps the depth that it finds, counts itself in __upc_forall_depth until it is
 * left, and does an iteration where the depth was above 0 or the affinity is the thread's. Each iteration is one
 * thread's; inner loops, in functions too, run where their outer one does; threads do not see each other's depth.
 */
#include "tests/gupc/emit.h"

EMIT_PROGRAM_INFO;

size_t upc_threadof(upc_shared_ptr_t);

enum { kBlock = 3, kEach = 2 * kBlock };
SHARED(unsigned, done,
       kEach); /* shared [kBlock]: which thread did an iteration, and how often: 100 times + thread */
SHARED(unsigned, entered, kEach); /* the same by integer affinity, shared [1] */

static int enter(void) { return __upc_forall_depth++; }
static void leave(const int *found) { __upc_forall_depth = *found; }
#define FORALL(i, n, mine)                                                             \
    for (int i##_found __attribute__((cleanup(leave))) = enter(), i = 0; i < (n); ++i) \
        if (i##_found > 0 || (mine))

static upc_shared_ptr_t block_element(int i) { return emit_element(done, (size_t)i, kBlock, sizeof *done); }
static upc_shared_ptr_t cyclic_element(int i) { return emit_element(entered, (size_t)i, 1, sizeof *entered); }
static void did(upc_shared_ptr_t p) { __putsi2(p, __getsi2(p) / 100 * 100 + 100 + (unsigned)MYTHREAD); }

static int inner_iterations(int n) {
    int count = 0;
    FORALL(k, n, k % THREADS == MYTHREAD)++ count;
    return count;
}

static void one_thread_each(void) {
    const int n = kEach * THREADS;
    FORALL(i, n, (int)upc_threadof(block_element(i)) == MYTHREAD) did(block_element(i));
    FORALL(i, n, i % THREADS == MYTHREAD) did(cyclic_element(i));
    CHECK(__upc_forall_depth == 0);
    __upc_barrier(1);
    for (int i = 0; i < n; ++i) {
        CHECK(__getsi2(block_element(i)) == 100 + (unsigned)(i / kBlock % THREADS));
        CHECK(__getsi2(cyclic_element(i)) == 100 + (unsigned)(i % THREADS));
    }
}

static void nested(void) {
    const int n = 5 * THREADS + 1;
    int outer = 0, inner = 0;
    CHECK(inner_iterations(n) == 5 + (MYTHREAD == 0)); /* alone it controls */
    FORALL(i, n, i % THREADS == MYTHREAD) {
        ++outer;
        CHECK(__upc_forall_depth == 1);
        inner += inner_iterations(n);
        FORALL(j, 4, 0)++ inner; /* no thread's; but it does not control */
        CHECK(__upc_forall_depth == 1);
    }
    CHECK(outer == 5 + (MYTHREAD == 0) && inner == outer * (n + 4));
    CHECK(__upc_forall_depth == 0);
}

static void left_early(void) {
    FORALL(i, 100, 1) if (i == MYTHREAD) break;
    CHECK(__upc_forall_depth == 0);
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    one_thread_each();
    /* The threads go out of step: each has its own depth. */
    for (int round = 0; round < 50 * (1 + MYTHREAD); ++round) nested();
    left_early();
    __upc_barrier(2);
    return emit_failures;
}
