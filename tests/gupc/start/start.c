/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start-up of a program of GCC-UPC, in two files (start_other.c): THREADS and MYTHREAD, main's
 * arguments, init functions in link order on every thread, a copy of the section of static data for each
 * thread, and the translation of link addresses. Uses no access functions: these have tests of their own.
 */
#include "tests/gupc/emit.h"

#include "upcr/barrier.h"
#include "upcr/bulk.h"
#include "upcr/layout.h"
#include "upcr/linkaddr.h"

#ifndef UPCR_USING_LINKADDRS
#error "upcc --abi=gupc defines it"
#endif

EMIT_PROGRAM_INFO;

SHARED(long, counted, 1);
SHARED(char, wide, 70000) __attribute__((aligned(4096)));
SHARED(int, initialised, 3) = {7, 8, 9};
EXTERN_SHARED(long, others);
EXTERN_SHARED(long, received);

/* Of the calling thread. */
EMIT_PER_THREAD int order[4], inits;

static void *mine(const void *placeholder) { return upcr_linkaddr_to_local(placeholder); }

static void first(void) {
    CHECK(MYTHREAD == (int)upcr_mythread() && THREADS == (int)upcr_threads());
    CHECK(*(long *)mine(counted) == 0);
    *(long *)mine(counted) = 100 + MYTHREAD;
    order[inits++] = 1;
}
static void second(void) { order[inits++] = 2; }
EMIT_INIT(first);
/* Padding, as a linker leaves it. */
static void (*padding[2])(void) __attribute__((section("upc_init_array"), used));
EMIT_INIT(second);

static void barrier_all(void) {
    upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
    upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
}

static void check_sections(void) {
    CHECK((uintptr_t)mine(wide) % 4096 == 0);
    for (int i = 0; i < 70000; i += 4111) CHECK(((char *)mine(wide))[i] == 0);
    CHECK(memcmp(mine(initialised), (int[]){0, 0, 0}, 12) == 0); /* addresses only */
    CHECK(*(int *)mine(&__upc_fence_var) == 0);
    CHECK(((long *)mine(received))[0] == 1000 + (MYTHREAD + THREADS - 1) % THREADS &&
          ((long *)mine(received))[1] == 0);
    CHECK(((long *)mine(others))[0] == 0 && ((long *)mine(others))[1] == MYTHREAD);
    /* The section itself is never written. */
    CHECK(*counted == 0 && *(long *)mine(counted) == 100 + MYTHREAD);
    /* Each thread has its own, at the address of its pointer-to-shared. */
    for (int t = 0; t < THREADS; ++t) {
        long value = 0;
        upcr_memget(&value, upcr_linkaddr_to_shared(counted, (upcr_thread_t)t), sizeof value);
        CHECK(value == 100 + t);
    }
    CHECK(gupc_offset(emit_at(counted, 0)) != 0 && upcri_gupc_statics != 0);
}

static void check_linkaddrs(void) {
    CHECK(upcr_local_to_linkaddr(mine(&wide[123])) == &wide[123]);
    CHECK(upcr_shared_to_linkaddr(upcr_linkaddr_to_shared(others, THREADS - 1u)) == others);
    CHECK((char *)mine(others) - (char *)mine(counted) == (char *)others - (char *)counted);
    CHECK(mine(__upc_shared_start) == (char *)mine(counted) - gupc_offset(emit_at(counted, 0)));
}

int main(int argc, char **argv) {
    CHECK(argc == 3 && strcmp(argv[1], "-x") == 0 && strcmp(argv[2], "y") == 0 && argv[3] == NULL);
    CHECK(strstr(argv[0], "start") != NULL);
    CHECK(inits == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
    CHECK(__upc_forall_depth == 0);
    barrier_all();
    check_sections();
    check_linkaddrs();
    __upc_forall_depth = 1 + MYTHREAD;
    barrier_all();
    CHECK(__upc_forall_depth == 1 + MYTHREAD);
    barrier_all();
    if (MYTHREAD == 0) printf("%d threads\n", (int)THREADS);
    return emit_failures;
}
