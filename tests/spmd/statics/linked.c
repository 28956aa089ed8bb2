/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that defines the link-time variables itself (upcr/link.h): each is used, and the hooks run once, in
 * order. UPCRL_progress_thread: thread 0 computes, and never polls, until the others have read its memory.
 * To be run with 3 threads, UPCR_PSHM=no and UPC_SHARED_HEAP_SIZE=32MB, which must be ignored.
 */
#include <time.h>

#include "tests/spmd/spmd.h"
#include "upcr/link.h"

enum { kThreads = 3, kSharedBytes = 8 << 20, kDeadline = 120 /* seconds */ };

static char order[16]; /* one UPC thread per process */
static void note(char what) { order[strlen(order)] = what; }
static void pre_spawn(void) { note('p'); }
static void per_pthread(void) { note('t'); }
static void cache(void *start, uintptr_t len) { (void)start, (void)len, note('c'); }
static void heap(void *start, uintptr_t len) {
    note('h');
    SPMD_CHECK(len > kSharedBytes / 2 && len <= kSharedBytes);
    upcri_init_heaps(start, len);
}
static upcr_shared_ptr_t words; /* of each thread: a value, and a mark of each other thread */
static void statics(void *start, uintptr_t len) {
    (void)start, (void)len;
    note('s');
    words = upcr_all_alloc(kThreads, (1 + kThreads) * 8);
    memset(upcr_shared_to_local(spmd_part(words, upcr_mythread(), 0)), 0, (1 + kThreads) * 8);
}

upcr_thread_t UPCRL_static_thread_count = kThreads;
uintptr_t UPCRL_default_shared_size = kSharedBytes;
int UPCRL_attach_flags = 0; /* the environment is ignored */
int UPCRL_progress_thread = 1;
void (*UPCRL_pre_spawn_init)(void) = pre_spawn;
void (*UPCRL_per_pthread_init)(void) = per_pthread;
void (*UPCRL_cache_init)(void *, uintptr_t) = cache;
void (*UPCRL_heap_init)(void *, uintptr_t) = heap;
void (*UPCRL_static_init)(void *, uintptr_t) = statics;

static void computes(volatile uint64_t *mine) {
    const time_t end = time(NULL) + kDeadline;
    for (upcr_thread_t t = 1; t < kThreads; ++t)
        while (mine[1 + t] == 0)
            if (time(NULL) > end) SPMD_FAIL("thread %u has not been served for %d s", t, kDeadline);
}

static void run(void) {
    const upcr_thread_t me = upcr_mythread();
    volatile uint64_t *const mine = (volatile uint64_t *)upcr_shared_to_local(spmd_part(words, me, 0));
    gasnet_seginfo_t table[kThreads];
    if (strcmp(order, "pths") != 0) SPMD_FAIL("the hooks were '%s'", order);
    SPMD_CHECK(gasnet_getSegmentInfo(table, kThreads) == 0);
    SPMD_EQ(table[upcr_mynode()].size, kSharedBytes);
    mine[0] = 40 + me;
    spmd_barrier();
    if (me == 0) {
        computes(mine);
    } else {
        SPMD_EQ(upcr_get_shared_val(spmd_part(words, 0, 0), 0, 8), 40);
        upcr_put_shared_val(spmd_part(words, 0, 8 * (1 + me)), 0, 1, 8);
    }
}

SPMD_MAIN(run)
