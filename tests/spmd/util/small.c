/* SPDX-License-Identifier: BSD-3-Clause */
/* Fence and poll, distance and castability, ticks, trace controls, and other small functions. */
#include "tests/spmd/spmd.h"

#include <pthread.h>
#include <unistd.h>

static __thread upcr_shared_ptr_t flags;

static unsigned node_of(upcr_thread_t t) { return upcr_get_shared_val(spmd_part(flags, t, 8), 0, 4); }

/* A number for the host of this thread: its name, and the group of UPCR_NODE_SIZE processes. */
static unsigned my_host(void) {
    const char *node_size = bupc_getenv("UPCR_NODE_SIZE");
    const int size = node_size == NULL ? 0 : atoi(node_size);
    unsigned hash = size == 0 ? 0 : upcr_mynode() / size;
    char name[256] = "";
    int i;
    gethostname(name, sizeof name - 1);
    for (i = 0; name[i] != 0; ++i) hash = hash * 31 + (unsigned char)name[i];
    return hash;
}

static unsigned host_of(upcr_thread_t t) { return upcr_get_shared_val(spmd_part(flags, t, 12), 0, 4); }

/* Threads of a host with consecutive numbers share memory. */
static int in_one_window_group(upcr_thread_t x, upcr_thread_t y) {
    const upcr_thread_t last = x < y ? y : x;
    upcr_thread_t t;
    for (t = x < y ? x : y; t < last; ++t)
        if (host_of(t) != host_of(last)) return 0;
    return 1;
}

static unsigned distance(upcr_thread_t x, upcr_thread_t y) {
    const char *pshm = bupc_getenv("UPCR_PSHM");
    if (x == y) return BUPC_THREADS_SAME;
    if (node_of(x) == node_of(y)) return BUPC_THREADS_VERYNEAR;
    if (host_of(x) != host_of(y)) return BUPC_THREADS_VERYFAR;
    if (!in_one_window_group(x, y)) return BUPC_THREADS_FAR;
    return pshm != NULL && strcmp(pshm, "no") == 0 ? BUPC_THREADS_FAR : BUPC_THREADS_NEAR;
}

static void distances(void) {
    const upcr_thread_t me = upcr_mythread();
    upcr_thread_t x, y;
    upcr_put_shared_val(spmd_part(flags, me, 8), 0, upcr_mynode(), 4);
    upcr_put_shared_val(spmd_part(flags, me, 12), 0, my_host(), 4);
    SPMD_CHECK(BUPC_THREADS_VERYFAR > BUPC_THREADS_FAR && BUPC_THREADS_VERYFAR == 400);
    spmd_barrier();
    for (x = 0; x < upcr_threads(); ++x)
        for (y = 0; y < upcr_threads(); ++y) /* the same table on every thread */
            SPMD_EQ(bupc_thread_distance((int)x, (int)y), distance(x, y));
    for (x = 0; x < upcr_threads(); ++x) {
        const int near = bupc_thread_distance((int)me, (int)x) <= BUPC_THREADS_NEAR;
        const upcr_shared_ptr_t there = spmd_part(flags, x, 16);
        SPMD_EQ(bupc_thread_castable(x), near);
        SPMD_EQ(bupc_castable(there), near);
        SPMD_EQ(bupc_cast(there) != NULL, near);
        SPMD_CHECK(bupc_cast(there) == upcr_cast(there));
        if (near) SPMD_EQ(*(int *)bupc_cast(spmd_part(flags, x, 8)), node_of(x));
    }
    SPMD_CHECK(bupc_castable(upcr_null_shared) && bupc_cast(upcr_null_shared) == NULL);
}

/* A thread that only polls serves the others' messages, and sees their writes. */
static void poll(int fence) {
    const upcr_thread_t me = upcr_mythread();
    upcr_thread_t t;
    upcr_put_shared_val_strict(spmd_part(flags, me, 0), 0, 0, 4);
    spmd_barrier();
    if (me == 0) {
        for (t = 0; t < upcr_threads(); ++t) {
            SPMD_EQ(upcr_get_shared_val(spmd_part(flags, t, 8), 0, 4), node_of(t));
            upcr_put_shared_val(spmd_part(flags, t, 4), 0, t + 1, 4);
            upcr_poll();
            upcr_put_shared_val(spmd_part(flags, t, 0), 0, 1, 4);
        }
    }
    while (upcr_get_shared_val(spmd_part(flags, me, 0), 0, 4) == 0) fence ? upcr_poll() : upcr_poll_nofence();
    upcr_poll();
    SPMD_EQ(upcr_get_shared_val(spmd_part(flags, me, 4), 0, 4), me + 1);
    spmd_barrier();
}

static void ticks(void) {
    bupc_tick_t before = bupc_ticks_now(), start = before;
    int i;
    for (i = 0; i < 10000; ++i) {
        const bupc_tick_t now = bupc_ticks_now();
        SPMD_CHECK(now >= before);
        before = now;
    }
    usleep(2000);
    SPMD_CHECK(bupc_ticks_to_us(bupc_ticks_now() - start) >= 2000);
    SPMD_CHECK(bupc_ticks_to_ns(bupc_ticks_now() - start) >= 2000000);
    SPMD_EQ(bupc_ticks_to_us(BUPC_TICK_MIN), 0);
    SPMD_CHECK(bupc_ticks_to_ns(BUPC_TICK_MAX) >= bupc_ticks_to_us(BUPC_TICK_MAX));
    SPMD_CHECK(bupc_tick_granularityus() > 0 && bupc_tick_overheadus() > 0);
    SPMD_CHECK(bupc_tick_granularityus() == bupc_tick_granularityus());
}

static int takes(int value UPCRI_PT_ARG) { return value; }

static void trace(void) {
    int evaluated = 0;
    spmd_barrier(); /* the masks are the process's */
    if (upcri_mypthread() == 0) {
        SPMD_CHECK(strcmp(bupc_trace_getmask(), "") == 0 && strcmp(bupc_stats_getmask(), "") == 0);
        bupc_trace_setmask("GPB");
        bupc_stats_setmask("X");
        bupc_stats_setmask("ABC");
        SPMD_CHECK(strcmp(bupc_trace_getmask(), "GPB") == 0 && strcmp(bupc_stats_getmask(), "ABC") == 0);
        bupc_trace_setmask(NULL);
        SPMD_CHECK(strcmp(bupc_trace_getmask(), "") == 0);
        bupc_trace_settracelocal(0);
        SPMD_EQ(bupc_trace_gettracelocal(), 0);
        bupc_trace_settracelocal(7);
        SPMD_EQ(bupc_trace_gettracelocal(), 1);
    }
    bupc_trace_printf(("%d", ++evaluated));
    SPMD_EQ(evaluated, 0);
}

static void *number_of(void *number) {
    *(upcr_thread_t *)number = upcr_mythread();
    return NULL;
}
/* A thread that the program starts has the number of the UPC thread that is its process. */
static void own_thread(void) {
    const upcr_thread_t me = upcr_mythread();
    upcr_thread_t number = ~me, t;
    pthread_t thread;
    for (t = 0; t < upcr_threads(); ++t)
        if (t != me && node_of(t) == node_of(me)) return;
    SPMD_EQ(pthread_create(&thread, NULL, number_of, &number), 0);
    pthread_join(thread, NULL);
    SPMD_EQ(number, me);
}

static void others(void) {
    char *p = upcri_checkmalloc(100);
    memset(p, 1, 100);
    free(p);
    SPMD_CHECK((p = upcri_checkmalloc(0)) != NULL);
    free(p);
    upcri_srcpos();
    (upcri_srcpos(), UPCR_EXIT_FUNCTION());
    SPMD_EQ(takes(3 UPCRI_PT_ARG), 3);
    SPMD_CHECK(upcri_mypthread() >= 0 && upcri_mypthread() < (int)upcr_threads());
    SPMD_CHECK(bupc_getenv("NO_SUCH_VARIABLE") == NULL);
    SPMD_CHECK(strcmp(bupc_getenv("PATH"), upcr_getenv("PATH")) == 0);
}

static void run(void) {
    UPCR_BEGIN_FUNCTION();
    static int among_declarations;
    UPCR_SET_SRCPOS("small.upc", 1);
    (void)among_declarations;
    flags = spmd_alloc(64);
    distances();
    poll(0);
    poll(1);
    ticks();
    trace();
    others();
    own_thread();
    UPCR_EXIT_FUNCTION();
}

SPMD_MAIN(run)
