/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Job control, queries and progress of the GASNet core interface (GASNet specification 1.8, 3 and 4).
 * Threads: with GASNET_PAR any thread, with GASNET_PARSYNC one at a time, with GASNET_SEQ the one that called
 * gasnet_init(). "In handlers" marks functions that active-message handlers may call too.
 */
#pragma once
#include "gasnet/types.h"

GASNETI_BEGIN_EXTERNC

/* Read by inlined calls; written by gasnet_init() and gasnet_attach(). */
typedef struct gasneti_peer_s {
    uintptr_t addr, size; /* its segment, in its own addresses */
    intptr_t shift;       /* what makes an address in its segment one of this process, when `shared` */
    int shared;
} gasneti_peer_t;
extern GASNETI_API struct gasneti_state_s {
    gasnet_node_t mynode, nodes;
    const gasneti_peer_t *peers; /* by node; null before attach */
    size_t max_medium;
} gasneti_state;

/*
 * int gasnet_init(int *argc, char ***argv)
 *   Starts the job, or joins it: the first call of all. Both arguments may be null. Returns GASNET_OK;
 *   GASNET_ERR_NOT_INIT when it was called before. Without a launcher (gasnetrun_smp -n N) the environment's
 *   GASNET_PSHM_NODES is the number of nodes of the job; default 1. It is a macro: it passes the
 *   modes that the objects of the program were compiled for (config.h); differences end the job.
 */
#define gasnet_init(argc, argv) \
    GASNETI_INIT((argc), (argv), __start_gasnet_units, __stop_gasnet_units, GASNETI_CONDUIT_DEFAULT)
#ifdef GASNET_DEBUG
#define GASNETI_INIT gasneti_init_for_libgasnet_debug
#else
#define GASNETI_INIT gasneti_init_for_libgasnet
#endif
extern GASNETI_API int GASNETI_INIT(int *argc, char ***argv, const char *const *units,
                                    const char *const *units_end, const char *conduit);

/*
 * Registers `numentries` handlers (table may be null when there are none), creates this node's segment of
 * `segsize` bytes (a multiple of GASNET_PAGESIZE, 0 .. gasnet_getMaxLocalSegmentSize(); may differ between
 * nodes) and completes the start-up. Collective; a full barrier. Entries with index 0 get the lowest free
 * indices from 128, in table order, written back. `minheapoffset` has no effect: segments do not limit the
 * heap. With GASNET_SEGMENT_EVERYTHING there is no segment: all memory may be named.
 * GASNET_ERR_NOT_INIT: before gasnet_init() or called again. GASNET_ERR_BAD_ARG: segsize.
 * GASNET_ERR_RESOURCE: a bad or repeated index, or more than 128 handlers. Nothing has happened then.
 */
extern GASNETI_API int gasnet_attach(gasnet_handlerentry_t *table, int numentries, uintptr_t segsize,
                                     uintptr_t minheapoffset);

/* Ends the whole job, which gets the status `exitcode` (its low 8 bits). Any thread, also in handlers and in
 * signal handlers, after gasnet_init(). Flushes stdio, runs no atexit handlers. Other nodes get SIGQUIT if
 * they have a handler of their own for it. When several nodes call it, the first one's code counts; nodes
 * that do the same within a moment end by themselves. A return from main() and exit() do the same. */
extern GASNETI_API void gasnet_exit(int exitcode) GASNETI_NORETURN;

/* Debug builds: ends the program before gasnet_init(). */
extern GASNETI_API void gasneti_require_started(const char *function);
GASNETI_INLINE void gasneti_check_started(const char *function) {
#ifdef GASNET_DEBUG
    if (gasneti_state.nodes == 0) gasneti_require_started(function);
#else
    (void)function;
#endif
}

/* This node's number and how many there are. After gasnet_init(), anywhere; before it, debug builds end the
 * program, and others return 0. */
GASNETI_INLINE gasnet_node_t gasnet_mynode(void) {
    gasneti_check_started("gasnet_mynode");
    return gasneti_state.mynode;
}
GASNETI_INLINE gasnet_node_t gasnet_nodes(void) {
    gasneti_check_started("gasnet_nodes");
    return gasneti_state.nodes;
}

/* The largest segment that this node, and that every node, may ask for: bytes, page multiples. Between
 * gasnet_init() and gasnet_attach(). */
extern GASNETI_API uintptr_t gasnet_getMaxLocalSegmentSize(void);
extern GASNETI_API uintptr_t gasnet_getMaxGlobalSegmentSize(void);

/* Fills table[0 .. n - 1] by node number; entries behind the last node are unchanged. GASNET_OK. After
 * attach. */
extern GASNETI_API int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int n);
/* The same after gasnet_init(); `offset` is valid after attach. GASNET_ERR_BAD_ARG: n is negative. */
extern GASNETI_API int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int n);

/* The value of an environment variable where the job was started, the same on every node; else what this
 * process has; else null. The library's memory, kept. After gasnet_init(). */
extern GASNETI_API char *gasnet_getenv(const char *name);

/* How this node's threads wait: GASNET_WAIT_BLOCK yields the CPU at once. GASNET_ERR_BAD_ARG: unknown mode.
 * */
extern GASNETI_API int gasnet_set_waitmode(int mode);

/* The name of a result code, such as "GASNET_ERR_BAD_ARG", and a description of it. Anywhere. */
extern GASNETI_API const char *gasnet_ErrorName(int code);
extern GASNETI_API const char *gasnet_ErrorDesc(int code);

/* Client hooks. gasnet_client_attach_hook: called in gasnet_attach() when the segment exists, unless it is
 * null. gasnet_max_segsize: a program may define it; the most that a segment can have, where
 * GASNET_MAX_SEGSIZE does not say otherwise; 0: what memory allows. */
extern GASNETI_API void (*gasnet_client_attach_hook)(void *segbase, uintptr_t segsize);
extern GASNETI_API uint64_t gasnet_max_segsize;

/* Runs handlers of messages that have arrived. GASNET_OK. */
extern GASNETI_API int gasnet_AMPoll(void);

/* A wait in progress; private to GASNET_BLOCKUNTIL. */
typedef struct gasneti_wait_s {
    uint64_t state[8];
} gasneti_wait_t;
extern GASNETI_API void gasneti_wait_begin(gasneti_wait_t *wait);
extern GASNETI_API void gasneti_wait_step(gasneti_wait_t *wait);
extern GASNETI_API void gasneti_wait_end(gasneti_wait_t *wait);

/*
 * GASNET_BLOCKUNTIL(cond);
 *   Polls the network until the expression is not 0; handlers, on any thread, make it true. Sleeps when
 *   there is nothing to do. Not in handlers.
 */
#define GASNET_BLOCKUNTIL(cond)                   \
    do {                                          \
        if (!(cond)) {                            \
            gasneti_wait_t gasneti_wait_;         \
            gasneti_wait_begin(&gasneti_wait_);   \
            do gasneti_wait_step(&gasneti_wait_); \
            while (!(cond));                      \
            gasneti_wait_end(&gasneti_wait_);     \
        }                                         \
        __atomic_thread_fence(__ATOMIC_ACQUIRE);  \
    } while (0)

/* No handler runs on this thread between the two; none ever does but in calls. The debug library checks that
 * they are paired and not nested; in handlers and while an HSL is held they are ignored. */
#ifdef GASNET_DEBUG
extern GASNETI_API void gasneti_hold_interrupts(void);
extern GASNETI_API void gasneti_resume_interrupts(void);
#define gasnet_hold_interrupts() gasneti_hold_interrupts()
#define gasnet_resume_interrupts() gasneti_resume_interrupts()
#else
#define gasnet_hold_interrupts() ((void)0)
#define gasnet_resume_interrupts() ((void)0)
#endif

/* Hints without effect: declarations of unused tags, so that other declarations may follow. */
#define GASNET_BEGIN_FUNCTION() struct _CONCAT(gasneti_begun_, __LINE__)
#define GASNET_POST_THREADINFO(info)            \
    struct _CONCAT(gasneti_posted_, __LINE__) { \
        char size_[sizeof(info)];               \
    }
/* An identifier of the calling thread: constant, and different from those of all other running threads. */
extern GASNETI_API gasnet_threadinfo_t gasneti_threadinfo(void);
#define GASNET_GET_THREADINFO() gasneti_threadinfo()

GASNETI_END_EXTERNC
