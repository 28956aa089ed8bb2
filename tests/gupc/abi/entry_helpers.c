/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts, the fence, the fence variable, random numbers, and the marks of instrumented code. */
#include "tests/gupc/abi/entry.h"

#include "upcr/gmem_barrier.h"
#include "upcr/window.h"

EMIT_PROGRAM_INFO;

SHARED(long, cells, 4);

static void check_casts(void) {
    long *const mine = __getaddr(emit_at(&cells[1], MYTHREAD));
    CHECK(__getaddr(gupc_null()) == NULL && __cvtaddr(gupc_null()) == NULL);
    CHECK(mine != NULL && (void *)mine != (void *)&cells[1]); /* no thread has the section itself */
    CHECK((uintptr_t)mine % sizeof(long) == 0);
    CHECK(__getaddr(emit_at(&cells[2], MYTHREAD)) == mine + 1);
    CHECK(__getaddr(emit_at(&cells[4], MYTHREAD)) == mine + 3); /* the address after an array */
    CHECK(__cvtaddr(emit_at(&cells[1], MYTHREAD)) == mine);
    CHECK(__getaddrg(emit_at(&cells[1], MYTHREAD), __FILE__, __LINE__) == mine);
    CHECK(__cvtaddrg(emit_at(&cells[1], MYTHREAD), __FILE__, __LINE__) == mine);
    *mine = 500 + MYTHREAD;
    __upc_barrier(1);
    /* Neighbours' memory that is mapped here. */
    for (int t = 0; t < THREADS; ++t)
        if (upcri_window.bases[t] != 0) CHECK(*(long *)__cvtaddr(emit_at(&cells[1], t)) == 500 + t);
    __upc_barrier(2);
}

/* Clang-UPC's fence is a strict load and a strict store of an int that the library keeps. */
static void check_fences(void) {
    const upc_shared_ptr_t fence = emit_at(&__upc_fence_var, 0);
    for (int i = 0; i < 3; ++i) __putssi2(fence, __getssi2(fence));
    CHECK(__getssi2(fence) == 0);
    __putdi2(emit_at(&cells[0], entry_thread(1)), (emit_di)MYTHREAD);
    __upc_fence();
    __upc_fenceg(__FILE__, __LINE__);
    __upc_barrier(3);
    CHECK(__getdi2(emit_at(&cells[0], MYTHREAD)) == (emit_di)entry_thread(-1));
}

static void check_random(void) {
    int first[10], differ = 0;
    __upc_srand(17);
    for (int i = 0; i < 10; ++i) first[i] = __upc_rand();
    __upc_srand(18);
    for (int i = 0; i < 10; ++i) differ += __upc_rand() != first[i];
    __upc_srand(17);
    __upc_barrier(4);
    /* The sequence is the thread's own, independent of other threads' calls. */
    for (int i = 0; i < 10; ++i) CHECK(first[i] >= 0 && __upc_rand() == first[i]);
    CHECK(differ > 5);
}

static void instrumented(void) {
    __upc_funcg(1, __func__, __FILE__, __LINE__);
    __upc_forallg(1, __FILE__, __LINE__);
    __upc_notifyg(5, __FILE__, __LINE__);
    __upc_waitg(5, __FILE__, __LINE__);
    __upc_forallg(0, __FILE__, __LINE__);
    __upc_funcg(0, __func__, __FILE__, __LINE__);
}

/* The design's two variables follow this thread. */
static void check_phase(void) {
    CHECK(!upcr_barrier_active);
    __upc_notify(70);
    CHECK(upcr_barrier_active && upcr_barrier_id == 70);
    __upc_wait(70);
    CHECK(!upcr_barrier_active);
    __upc_notify(EMIT_ANONYMOUS);
    CHECK(upcr_barrier_active && upcr_barrier_id == INT_MIN);
    __upc_wait(71);
    __upc_barrier(72);
    CHECK(!upcr_barrier_active && upcr_barrier_id == 72);
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    check_casts();
    check_fences();
    check_random();
    instrumented();
    check_phase();
    __upc_exit(emit_failures);
}
