/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starting and ending a UPC program (UPC Runtime specification 3.5, "Runtime initialization functions",
 * "Framework for external bootstrapping", "Runtime shutdown").
 *
 * Two ways in. A compiler's start-up code, or a C or C++ main(), calls
 *     bupc_init_reentrant(&argc, &argv, &pmain)      works however the job is started, or
 *     bupc_init(&argc, &argv) ... bupc_exit(status)  only with one UPC thread per process.
 * Both read the UPCRL_ variables (link.h) and use the second, lower way:
 *     upcr_startup_init, upcr_startup_attach, upcr_startup_spawn, in this order.
 *
 * None of these calls returns an error: a failure prints "UPC Runtime error: ..." and ends the job.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/*
 * Joins the job. The first call of the program; later calls do nothing.
 *
 *   pargc, pargv              those of main(); not to be used before this returns
 *   static_threadcnt          the number of UPC threads the program was compiled for, 0: any. Another
 *                             number of threads in the job is fatal
 *   default_pthreads_per_proc UPC threads per process if neither the launcher nor UPCR_PTHREADS sets it;
 *                             0: one, and the program's unshared variables are plain globals
 *   main_name                 of the user's main function, for debuggers; may be NULL
 *
 * Until upcr_startup_attach() only these may be called: upcr_mynode, upcr_nodes, upcr_getenv,
 * upcr_global_exit, gasnet_getMaxLocalSegmentSize, gasnet_getMaxGlobalSegmentSize.
 * Initial thread of the process.
 */
UPCRI_API void upcr_startup_init(int *pargc, char ***pargv, upcr_thread_t static_threadcnt,
                                 upcr_thread_t default_pthreads_per_proc, const char *main_name);

/*
 * Creates the shared memory of every UPC thread and connects the processes. Collective over the
 * processes, once, after upcr_startup_init(); later calls do nothing.
 *
 *   default_shared_size    bytes for each UPC thread, a multiple of UPCR_PAGESIZE; 0: 64 MiB
 *   default_shared_offset  accepted for compatibility: shared memory never limits the C heap here
 *   flags                  0 or a sum of
 *     UPCR_ATTACH_ENV_OVERRIDE  UPC_SHARED_HEAP_SIZE and UPC_SHARED_HEAP_OFFSET override the arguments
 *     UPCR_ATTACH_REQUIRE_SIZE  less memory than asked for is fatal (overridden by
 *                               UPC_REQUIRE_SHARED_SIZE=yes/no)
 *     UPCR_ATTACH_SIZE_WARN     less memory than asked for is warned about (overridden by
 *                               UPC_SIZE_WARN=yes/no)
 *
 * If a host has less memory, every thread gets the largest size that all hosts can provide.
 * gasnet_getSegmentInfo() (gasnet_queries.h) returns the result.
 */
UPCRI_API void upcr_startup_attach(uintptr_t default_shared_size, uintptr_t default_shared_offset, int flags);

/* The functions that upcr_startup_spawn() calls. A NULL entry is skipped (heap_init: the runtime's own runs).
 * */
struct upcr_startup_spawnfuncs {
    /* Once per process, before any pthread is created. */
    void (*pre_spawn_init)(void);
    /* The others once on each UPC thread, in this order. */
    void (*per_pthread_init)(void);
    void (*cache_init)(void *start, uintptr_t len);  /* never called: there is no cache */
    void (*heap_init)(void *start, uintptr_t len);   /* the region for the heap; upcri_init_heaps */
    void (*static_init)(void *start, uintptr_t len); /* the region for static shared data; see below */
    /* The program; its return value is the UPC thread's exit status. */
    int (*main_function)(int argc, char **argv);
};

/*
 * Creates the UPC threads of this process, sets them up and runs the program on them. Collective over
 * the processes, once, after upcr_startup_attach(); later calls do nothing.
 *
 *   pargc, pargv       passed to main_function; each UPC thread gets its own copy of the strings
 *   static_data_size   bytes of each thread's segment to reserve, below the heap, for static_init();
 *                      0: static data comes from the heap, and static_init() gets an empty region. A program
 *                      with a linker section of shared data (UPCRL_shared_begin, link.h) gets memory for that
 *                      at least, and finds a copy of the section there
 *   default_cache_size accepted, unused
 *   spawnfuncs         see above
 *
 * A barrier precedes main_function. With a main_function this never returns: the job ends as by
 * upcr_exit() of the returned values. Without one it returns to the caller; then each process must have
 * one UPC thread.
 */
UPCRI_API void upcr_startup_spawn(int *pargc, char ***pargv, uintptr_t static_data_size,
                                  uintptr_t default_cache_size, struct upcr_startup_spawnfuncs *spawnfuncs);

/*
 * Ends the calling UPC thread's program. Waits for all other UPC threads to end theirs (a barrier of its
 * own kind: if another thread is in a barrier of the program, that is a fatal error), so no thread's
 * shared memory is unmapped early. If threads pass different statuses, one that is not 0 is the job's.
 */
UPCRI_API void upcr_exit(int exitcode) UPCRI_NORETURN;
/* The same under the names that translated programs (for exit()) and bupc_init() programs use. */
UPCRI_API void upcri_do_exit(int exitcode) UPCRI_NORETURN;

/*
 * Ends the whole job at once with this status: buffered output of every process is flushed, nothing else
 * is waited for. Any thread, any time after upcr_startup_init(). When several threads call it, or call
 * it with different statuses, the job ends with one of them.
 */
UPCRI_API void upcr_global_exit(int exitcode) UPCRI_NORETURN;

/*
 * Starts UPC in a main() that is not UPC code: init, attach and spawn with the UPCRL_ variables
 * (link.h), and UPCRL_mpi_init when set. The first statement of main(); later calls do nothing.
 * Needs one UPC thread per process; with more (upcrun --pthreads, UPCR_PTHREADS) it is fatal.
 */
UPCRI_API void bupc_init(int *argc, char ***argv);
/*
 * The same for any number of UPC threads per process: runs pmain_func on each, with its own copy of the
 * arguments, and ends the program with what it returns. Does not return. pmain_func may not be NULL.
 */
UPCRI_API void bupc_init_reentrant(int *argc, char ***argv, int (*pmain_func)(int, char **));
/* Ends a program as upcr_exit() does, after UPCRL_mpi_finalize when set. The last statement of main(). */
UPCRI_API void bupc_exit(int exitcode) UPCRI_NORETURN;

/*
 * An environment variable with its value in the launcher's environment, the same on every thread, or NULL.
 * upcr_getenv: after upcr_startup_init(); bupc_getenv: on a UPC thread, after bupc_init*.
 * The string must not be changed.
 */
UPCRI_API char *upcr_getenv(const char *env_name);
UPCRI_API char *bupc_getenv(const char *env_name);

/* A cache_init for generated start-up code: there is no cache, it does nothing. */
UPCRI_API void upcri_init_cache(void *start, uintptr_t len);

UPCRI_END_C
