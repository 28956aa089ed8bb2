/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three start-up calls with hooks of the test: their order, the calls that are legal before each, the regions
 * passed to the hooks, the arguments of each thread. Each thread prints one line. test_start.py runs it with
 *   start SHARED_SIZE FLAGS STATIC_SIZE [ALLOWED_THREADS [DEFAULT_PTHREADS]]
 * With SIZE_OF_ONE=SIZE in the environment UPC_SHARED_HEAP_SIZE is set in one process only: the one that makes
 * the folder ONE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "upcr/barrier.h"
#include "upcr/gasnet_queries.h"
#include "upcr/heap.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/sptr.h"

static int pre_spawns;
static __thread char order[64];
static __thread char *heap_start, *static_start;
static __thread size_t heap_length, static_length;
static size_t static_size;
static char **main_argv;

static void fail(const char *what) {
    fprintf(stderr, "FAILED on thread %u: %s\n", upcr_mythread(), what);
    upcr_global_exit(1);
}
#define CHECK(cond) ((cond) ? (void)0 : fail(#cond))

static void pre_spawn(void) {
    ++pre_spawns;
    CHECK(upcri_mypthread() == 0);
}
static void per_pthread(void) { strcat(order, "p"); }
static void cache(void *start, uintptr_t len) {
    (void)start, (void)len;
    strcat(order, "c");
}
static void heap(void *start, uintptr_t len) {
    strcat(order, "h");
    heap_start = (char *)start;
    heap_length = len;
    upcri_init_heaps(start, len);
}
static void statics(void *start, uintptr_t len) {
    strcat(order, "s");
    static_start = (char *)start;
    static_length = len;
    /* The region is this thread's own, lies below all it allocates, and the heaps work already. */
    memset(start, 0x5a, len);
    CHECK((char *)upcr_shared_to_local(upcr_alloc(100)) >= static_start + len);
}

/* gasnet_getSegmentInfo() returns this process's shared memory: its threads' segments, contiguous. */
static void check_segment_contents(void) {
    gasnet_seginfo_t table[64];
    const upcr_shared_ptr_t object = upcr_alloc(sizeof(int));
    int *here = (int *)upcr_shared_to_local(object), *there;
    CHECK(upcr_mynode() < 64 && gasnet_getSegmentInfo(table, 64) == 0);
    there = (int *)((char *)table[upcr_mynode()].addr +
                    (size_t)upcri_mypthread() * upcri_window.segment_bytes + upcr_addrfield_shared(object));
    *(volatile int *)there = 1234 + (int)upcr_mythread();
    CHECK(*(volatile int *)here == 1234 + (int)upcr_mythread());
}

static int program(int argc, char **argv) {
    upcr_thread_t t;
    CHECK(strcmp(order, "phs") == 0);
    CHECK(pre_spawns == 1);
    CHECK(heap_length > 0 && static_length >= static_size);
    CHECK(static_start + static_length <= heap_start);
    if (static_size > 0) CHECK(static_start[0] == 0x5a && static_start[static_size - 1] == 0x5a);
    CHECK(upcr_mythread() < upcr_threads() && upcr_mynode() < upcr_nodes());
    /* A copy of the arguments for each thread. */
    CHECK(argv != main_argv && argv[0] != main_argv[0] && argv[argc] == NULL);
    argv[0][0] = (char)('A' + upcr_mythread() % 26);
    upcr_barrier(5, 0);
    CHECK(argv[0][0] == (char)('A' + upcr_mythread() % 26));
    CHECK(strcmp(argv[argc - 1], main_argv[argc - 1]) == 0);
    check_segment_contents();
    for (t = 0; t < upcr_threads(); ++t) {
        if (t == upcr_mythread())
            printf("thread %u/%u node %u/%u pthread %d\n", upcr_mythread(), upcr_threads(), upcr_mynode(),
                   upcr_nodes(), upcri_mypthread());
        fflush(stdout);
        upcr_barrier(6, 0);
    }
    return 0;
}

static void check_segments(size_t asked, uintptr_t most) {
    gasnet_seginfo_t table[64];
    upcr_thread_t n;
    uintptr_t mine;
    memset(table, 0, sizeof table);
    if (gasnet_getSegmentInfo(table, upcr_nodes() < 64 ? (int)upcr_nodes() + 1 : 64) != 0) abort();
    for (n = 0; n < upcr_nodes() && n < 64; ++n)
        if (table[n].addr == NULL || table[n].size == 0 || table[n].size % UPCR_PAGESIZE != 0) abort();
    if (upcr_nodes() < 64 && table[upcr_nodes()].addr != NULL) abort();
    mine = table[upcr_mynode()].size;
    if (mine > most) abort();
    /* Usable from end to end, contiguously. */
    ((char *)table[upcr_mynode()].addr)[mine - 1] = 1;
    ((char *)table[upcr_mynode()].addr)[mine / 2] = 1;
    if (upcr_mynode() == 0) printf("asked %zu got %zu\n", asked, (size_t)mine);
}

int main(int argc, char **argv) {
    struct upcr_startup_spawnfuncs functions = {pre_spawn, per_pthread, cache, heap, statics, program};
    size_t size = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    int flags = argc > 2 ? atoi(argv[2]) : 0;
    upcr_thread_t allowed = argc > 4 ? (upcr_thread_t)atoi(argv[4]) : 0;
    upcr_thread_t pthreads = argc > 5 ? (upcr_thread_t)atoi(argv[5]) : 0;
    uintptr_t local, global;
    static_size = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;
    main_argv = argv;

    if (getenv("SIZE_OF_ONE") != NULL && mkdir(getenv("ONE"), 0700) == 0)
        setenv("UPC_SHARED_HEAP_SIZE", getenv("SIZE_OF_ONE"), 1);
    upcr_startup_init(&argc, &argv, allowed, pthreads, "program");
    upcr_startup_init(&argc, &argv, allowed + 1, 0, "program"); /* ignored */
    /* Calls that are legal before attach. */
    if (upcr_mynode() >= upcr_nodes() || upcr_getenv("NO_SUCH_VARIABLE") != NULL ||
        upcr_getenv("PATH") == NULL)
        return 81;
    local = gasnet_getMaxLocalSegmentSize();
    global = gasnet_getMaxGlobalSegmentSize();
    if (global > local || global == 0) return 82;
    upcr_startup_attach(size, 0, flags);
    upcr_startup_attach(size * 2, 0, flags); /* ignored */
    check_segments(size, global);
    upcr_startup_spawn(&argc, &argv, static_size, 0, &functions);
    return 83;
}
