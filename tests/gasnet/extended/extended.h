/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the tests of remote access: threads of a node (one with GASNET_SEQ), and memory of every node cut
 * into one area for each thread of the job, so that a thread alone decides what is in its areas and can
 * compare them with a plain array.
 */
#ifndef EXTENDED_H
#define EXTENDED_H
#include "../client.h"

#ifdef GASNET_PAR
enum { THREADS = 3 };
#else
enum { THREADS = 1 };
#endif
enum { AREA = 65536 };

/* One client thread's view. */
typedef struct {
    unsigned index, count; /* among the threads of the job */
    uint64_t random;
    unsigned char *model;  /* what its areas hold: nodes * AREA */
    unsigned char *source; /* private memory: 2 * AREA */
    unsigned char *dest;
} worker_t;

static char *base_of[64]; /* of each node's memory for areas */

static __attribute__((unused)) char *area(const worker_t *w, gasnet_node_t node) {
    return base_of[node] + (size_t)w->index * AREA;
}
static __attribute__((unused)) unsigned char *model(const worker_t *w, gasnet_node_t node) {
    return w->model + (size_t)node * AREA;
}
static __attribute__((unused)) size_t below(worker_t *w, size_t n) { return random_number(&w->random) % n; }

static __attribute__((unused)) void fill_randomly(worker_t *w, unsigned char *p, size_t n) {
    size_t i;
    uint32_t r = random_number(&w->random);
    for (i = 0; i < n; ++i) p[i] = (unsigned char)(r = r * 1664525u + 1013904223u, r >> 24);
}

/* All of a worker's areas against the model. */
static __attribute__((unused)) void compare_areas(worker_t *w, const char *after) {
    gasnet_node_t node;
    for (node = 0; node < gasnet_nodes(); ++node) {
        size_t i;
        gasnet_get_bulk(w->dest, node, area(w, node), AREA);
        if (memcmp(w->dest, model(w, node), AREA) == 0) continue;
        for (i = 0; w->dest[i] == model(w, node)[i]; ++i) {
        }
        fprintf(
            stderr,
            "FAILED: node %u thread %u after %s: byte %lu of its area on node %u is %#x, not %#x (seed %lu)\n",
            (unsigned)gasnet_mynode(), w->index, after, (unsigned long)i, (unsigned)node, w->dest[i],
            model(w, node)[i], (unsigned long)(w->index + 1));
        gasnet_exit(1);
    }
}

static __attribute__((unused)) void start_worker(worker_t *w, unsigned thread) {
    w->index = (unsigned)gasnet_mynode() * THREADS + thread;
    w->count = (unsigned)gasnet_nodes() * THREADS;
    w->random = w->index + 1;
    w->model = (unsigned char *)calloc(gasnet_nodes(), AREA);
    w->source = (unsigned char *)malloc(2 * AREA);
    w->dest = (unsigned char *)malloc(2 * AREA);
}
static __attribute__((unused)) void end_worker(worker_t *w) {
    free(w->model);
    free(w->source);
    free(w->dest);
}

#ifdef GASNET_PAR
typedef struct {
    void (*body)(worker_t *);
    unsigned thread;
} job_t;
static __attribute__((unused)) void *run_worker(void *arg) {
    worker_t w;
    start_worker(&w, ((job_t *)arg)->thread);
    ((job_t *)arg)->body(&w);
    end_worker(&w);
    return NULL;
}
#endif

/* Runs the body on every thread of this node. */
static __attribute__((unused)) void run_workers(void (*body)(worker_t *)) {
#ifdef GASNET_PAR
    pthread_t ids[THREADS];
    job_t jobs[THREADS];
    unsigned i;
    for (i = 0; i < THREADS; ++i) {
        jobs[i].body = body;
        jobs[i].thread = i;
        CHECK(pthread_create(&ids[i], NULL, run_worker, &jobs[i]) == 0);
    }
    for (i = 0; i < THREADS; ++i) CHECK(pthread_join(ids[i], NULL) == 0);
#else
    worker_t w;
    start_worker(&w, 0);
    body(&w);
    end_worker(&w);
#endif
}

/* Start-up; base_of[] is the segments, or with GASNET_SEGMENT_EVERYTHING private memory of every node. */
static __attribute__((unused)) void start_client(int *argc, char ***argv) {
    gasnet_node_t i;
    CALL(gasnet_init(argc, argv));
    CHECK(gasnet_nodes() <= 64);
#ifdef GASNET_SEGMENT_EVERYTHING
    {
        static char in_data[3 * 64 * AREA];
        char *mine = gasnet_mynode() % 2 == 0 ? in_data : (char *)calloc(gasnet_nodes() * THREADS, AREA);
        CALL(gasnet_attach(NULL, 0, 0, 0));
        gasnet_coll_init(0, 0, 0, 0, 0);
        for (i = 0; i < gasnet_nodes(); ++i) {
            char *it = mine;
            gasnet_coll_broadcast(GASNET_TEAM_ALL, &it, i, &it, sizeof it,
                                  GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
            base_of[i] = it;
        }
    }
#else
    {
        gasnet_seginfo_t segments[64];
        CALL(gasnet_attach(NULL, 0, (uintptr_t)gasnet_nodes() * THREADS * AREA, 0));
        CALL(gasnet_getSegmentInfo(segments, 64));
        for (i = 0; i < gasnet_nodes(); ++i) base_of[i] = (char *)segments[i].addr;
        memset(base_of[gasnet_mynode()], 0, (size_t)gasnet_nodes() * THREADS * AREA);
    }
#endif
    barrier();
}
#endif
