/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers of threads and processes; prologue and epilogue of translated functions; source positions (UPC
 * Runtime specification 3.5, "Job layout queries" and "UPCR_BEGIN_FUNCTION").
 */
#pragma once
#include "upcr/window.h"

#define UPCRI_INVALID_THREAD ((upcr_thread_t)-1)

/* The hidden per-thread argument of other runtimes; not needed here. */
#define UPCRI_PT_ARG

UPCRI_BEGIN_C

/* Written by upcr_startup_init(), constant afterwards. Nothing here is for users. */
struct upcri_layout {
    upcr_thread_t mynode, nodes;
};
extern UPCRI_API struct upcri_layout upcri_layout;

/* Debug: fatal unless `function` may be called by this thread now. */
UPCRI_API void upcri_check_thread(const char *function);  /* a UPC thread, in no AM handler */
UPCRI_API void upcri_check_number(const char *function);  /* the same, or any thread of a process with one */
UPCRI_API void upcri_check_started(const char *function); /* after upcr_startup_init() */
UPCRI_API void upcri_begin_function(void);
UPCRI_API void upcri_set_srcpos(const char *file, int line);

/* The calling UPC thread's number, 0 .. upcr_threads() - 1. After attach. In a process of one UPC thread also on
 * threads that were started later, as those of OpenMP: its number. */
UPCRI_STATIC upcr_thread_t upcr_mythread(void) {
#if UPCR_DEBUG
    upcri_check_number("upcr_mythread");
#endif
    return upcri_mythread_;
}

/* The number of UPC threads of the job. After attach, any thread. */
UPCRI_STATIC upcr_thread_t upcr_threads(void) { return UPCRI_THREADS; }

/* This process's number and the number of processes. After upcr_startup_init(), any thread. */
UPCRI_STATIC upcr_thread_t upcr_mynode(void) {
#if UPCR_DEBUG
    upcri_check_started("upcr_mynode");
#endif
    return upcri_layout.mynode;
}
UPCRI_STATIC upcr_thread_t upcr_nodes(void) {
#if UPCR_DEBUG
    upcri_check_started("upcr_nodes");
#endif
    return upcri_layout.nodes;
}

/* The calling UPC thread's index in its process: 0 with one UPC thread per process. */
UPCRI_STATIC int upcri_mypthread(void) { return upcri_mypthread_; }

/* Used by generated macros; does nothing. */
UPCRI_STATIC void upcri_srcpos(void) {}

/* malloc() that never returns NULL: running out of memory is a fatal error that names the size. */
UPCRI_API void *upcri_checkmalloc(size_t bytes);

UPCRI_END_C

/*
 * UPCR_BEGIN_FUNCTION();            first in each translated function; may stand among declarations
 * UPCR_EXIT_FUNCTION();             before each return of one
 * UPCR_SET_SRCPOS("file.upc", 12);  the current UPC source line, for error messages
 * Debug: the first is fatal in an AM handler, and on a thread that the runtime did not create unless the process
 * has one UPC thread; the last is recorded unless UPCR_NO_SRCPOS is defined. Release: all three are empty.
 */
#if UPCR_DEBUG
#define UPCR_BEGIN_FUNCTION() upcri_begin_function()
#else
#define UPCR_BEGIN_FUNCTION() ((void)0)
#endif
#define UPCR_EXIT_FUNCTION() ((void)0)
#if UPCR_DEBUG && !defined(UPCR_NO_SRCPOS)
#define UPCR_SET_SRCPOS(file, line) upcri_set_srcpos(file, line)
#else
#define UPCR_SET_SRCPOS(file, line) ((void)0)
#endif

/*
 * UPCRI_INLINE(name) T name(...) {...}: the form of inline functions in translated programs, which have no
 * `static` before it. The function is the file's own. The argument is the function's name, and not used.
 */
#define UPCRI_INLINE(name) static inline __attribute__((unused))
