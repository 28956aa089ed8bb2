/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence and poll, distance and castability of threads, time, trace controls, messages (UPC Runtime
 * specification, "Fence and poll"; Berkeley UPC extensions).
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/* upc_fence: everything this thread did before is complete and visible before anything it does after, except
 * non-blocking operations that were not synchronised (async.h) and posts to semaphores (sem.h). Serves other
 * threads once. UPC threads, not from an AM handler. */
UPCRI_API void upcr_poll(void);
/* Serves other threads once, orders nothing. For loops that wait for a variable to change.
 * Yields the CPU if there are more threads than CPUs. */
UPCRI_API void upcr_poll_nofence(void);

/*
 * The distance of two UPC threads: one of the classes below, symmetric, constant while the program runs.
 * Out of range threads: fatal in debug, undefined otherwise. Any thread after attach.
 */
#define BUPC_THREADS_SAME 0       /* the same thread */
#define BUPC_THREADS_VERYNEAR 100 /* the same process */
#define BUPC_THREADS_NEAR 200     /* memory mapped into each other */
#define BUPC_THREADS_FAR 300      /* the same host, reached through messages */
#define BUPC_THREADS_VERYFAR 400  /* another host */
UPCRI_API unsigned int bupc_thread_distance(int x, int y);

/* Older names of upc_cast() and upc_thread_info(): non-zero iff the calling thread can use a plain
 * address for this object (null included), for all of this thread's memory; the address or NULL. */
UPCRI_API int bupc_castable(upcr_shared_ptr_t ptr);
UPCRI_API int bupc_thread_castable(unsigned int thread);
UPCRI_API void *bupc_cast(upcr_shared_ptr_t ptr);

/* Time. Ticks are monotonic on a host; those of different hosts cannot be compared. Any thread, any time. */
typedef uint64_t bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX (~(bupc_tick_t)0)
UPCRI_API bupc_tick_t bupc_ticks_now(void);
UPCRI_API uint64_t bupc_ticks_to_us(bupc_tick_t ticks);
UPCRI_API uint64_t bupc_ticks_to_ns(bupc_tick_t ticks);
UPCRI_API double bupc_tick_granularityus(void); /* the smallest difference that is observed, microseconds */
UPCRI_API double bupc_tick_overheadus(void);    /* of bupc_ticks_now(), microseconds */

/*
 * What a timeline gets (upcrun --trace). Any UPC thread; masks are the process's.
 *   bupc_trace_setmask       letters, at most 63, choose among the kinds that --trace records, from now on: G gets,
 *                            P puts, copies and fills, V VIS, X atomics, S synchronisation, B barriers, L locks and
 *                            semaphores, W collectives, N the heap, I files, A messages, H regions and
 *                            bupc_trace_printf; "" none, null all. Counters are always recorded. Without --trace the
 *                            mask is stored
 *   bupc_trace_getmask       the letters; before the first setmask all, or "" without --trace. The string stays as it
 *                            is for the next 15 calls of setmask, so it can be set again later
 *   bupc_trace_settracelocal 0: accesses of the thread's own memory alone are not recorded
 *   bupc_stats_setmask       stored: statistics have all kinds
 *   bupc_trace_printf((fmt, ...))  with double parentheses: a mark with this text, of at most 511 bytes, in files that
 *                            `upcc --stats` compiles; in others, and while no marks are recorded, its arguments are
 *                            not evaluated. The last 128 KiB of a thread's texts are kept
 */
UPCRI_API void bupc_trace_setmask(const char *mask);
UPCRI_API const char *bupc_trace_getmask(void);
UPCRI_API void bupc_stats_setmask(const char *mask);
UPCRI_API const char *bupc_stats_getmask(void);
UPCRI_API void bupc_trace_settracelocal(int on);
UPCRI_API int bupc_trace_gettracelocal(void);
#if defined(UPCR_STATS) && UPCR_STATS
UPCRI_API int upcri_trace_marks_at(const char *file, int line);
UPCRI_API void upcri_trace_mark(const char *fmt, ...) __attribute__((format(__printf__, 1, 2)));
#define bupc_trace_printf(parenthesized) \
    (upcri_trace_marks_at(__FILE__, __LINE__) ? upcri_trace_mark parenthesized : (void)0)
#else
#define bupc_trace_printf(parenthesized) ((void)0)
#endif

/*
 * Messages of generated code and of libraries over this runtime, printf-like. Any thread.
 *   upcri_err         "UPC Runtime error: ", and the job ends with status 255; upcri_early_err the same,
 *                     also before upcr_startup_init()
 *   upcri_errno       the same with ": " and the text of errno
 *   upcri_gaserr      the same with ": " and the text of a GASNet error code
 *   upcri_warn        "UPC Runtime warning: " (fatal with UPC_WARN_FATAL=yes)
 *   upcri_sleepprintf a line on stderr, with the thread's number
 *   upcri_barprintf   the same, then a barrier. Collective
 */
#define UPCRI_PRINTF(fmt_index, first_arg) __attribute__((format(__printf__, fmt_index, first_arg)))
UPCRI_API void upcri_err(const char *fmt, ...) UPCRI_NORETURN UPCRI_PRINTF(1, 2);
UPCRI_API void upcri_early_err(const char *fmt, ...) UPCRI_NORETURN UPCRI_PRINTF(1, 2);
UPCRI_API void upcri_errno(const char *fmt, ...) UPCRI_NORETURN UPCRI_PRINTF(1, 2);
UPCRI_API void upcri_gaserr(int code, const char *fmt, ...) UPCRI_NORETURN UPCRI_PRINTF(2, 3);
UPCRI_API void upcri_warn(const char *fmt, ...) UPCRI_PRINTF(1, 2);
UPCRI_API void upcri_sleepprintf(const char *fmt, ...) UPCRI_PRINTF(1, 2);
UPCRI_API void upcri_barprintf(const char *fmt, ...) UPCRI_PRINTF(1, 2);

UPCRI_END_C
