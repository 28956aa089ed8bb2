/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <bupc_extensions.h>: what Berkeley UPC programs have beyond UPC 1.3 and this runtime provides. UPC source:
 * a front end reads it. Included by C it is upcr.h, which documents the same names.
 */
#ifndef UPCRI_PREINCLUDE_BUPC_EXTENSIONS_H
#define UPCRI_PREINCLUDE_BUPC_EXTENSIONS_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <stdint.h>
#include <upc.h>

/* Older names of upc_all_free and upc_all_lock_free. Collective. */
extern void bupc_all_free(shared void *ptr);
extern void bupc_all_lock_free(upc_lock_t *ptr);

/* How far apart two threads are: a class, symmetric, constant while the program runs. */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR 200
#define BUPC_THREADS_FAR 300
#define BUPC_THREADS_VERYFAR 400
extern unsigned int bupc_thread_distance(int x, int y);

/* Can the calling thread use a plain pointer for this object, for all memory of this thread; that pointer. */
extern int bupc_castable(shared void *ptr);
extern int bupc_thread_castable(unsigned int thread);
extern void *bupc_cast(shared void *ptr);

/*
 * Pointers. bupc_dump_shared writes a description into buf, of at least BUPC_DUMP_MIN_LENGTH bytes, and
 * returns 0. bupc_local_to_shared makes a pointer to a local address in the memory of `thread`;
 * bupc_inverse_cast finds the thread. bupc_ptradd adds `elemincr` elements of elemsz bytes to a pointer with
 * blocks of `blockelems` elements (0: indefinite).
 */
#define BUPC_DUMP_MIN_LENGTH 100
extern int bupc_dump_shared(shared const void *ptr, char *buf, int maxlen);
extern shared void *bupc_local_to_shared(void *ptr, int thread, int phase);
extern shared void *bupc_inverse_cast(void *ptr);
extern shared void *bupc_ptradd(shared void *ptr, size_t blockelems, size_t elemsz, ptrdiff_t elemincr);

/* Time; see upc_tick.h. The last two in microseconds: the smallest step, what a call costs. */
typedef uint64_t bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX (~(bupc_tick_t)0)
extern bupc_tick_t bupc_ticks_now(void);
extern uint64_t bupc_ticks_to_us(bupc_tick_t ticks);
extern uint64_t bupc_ticks_to_ns(bupc_tick_t ticks);
extern double bupc_tick_granularityus(void);
extern double bupc_tick_overheadus(void);

/* Masks of traces and statistics: kept, nothing is traced; the arguments of a message are not evaluated. */
extern void bupc_trace_setmask(const char *mask);
extern const char *bupc_trace_getmask(void);
extern void bupc_stats_setmask(const char *mask);
extern const char *bupc_stats_getmask(void);
extern void bupc_trace_settracelocal(int on);
extern int bupc_trace_gettracelocal(void);
#define bupc_trace_printf(parenthesized) ((void)0)

#endif
#endif
