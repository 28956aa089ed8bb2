/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <bupc_extensions.h>: the extensions of Berkeley UPC to UPC 1.3 that this runtime provides. UPC source:
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
extern void bupc_all_free(shared void *__ptr);
extern void bupc_all_lock_free(upc_lock_t *__ptr);

/* The distance of two threads: a class, symmetric, constant while the program runs. */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR 200
#define BUPC_THREADS_FAR 300
#define BUPC_THREADS_VERYFAR 400
extern unsigned int bupc_thread_distance(int __x, int __y);

/* Whether the calling thread can use a plain pointer for this object, or for all memory of this thread; that
 * pointer. */
extern int bupc_castable(shared void *__ptr);
extern int bupc_thread_castable(unsigned int __threadid);
extern void *bupc_cast(shared void *__ptr);

/*
 * Pointers. bupc_dump_shared writes a description into buf, of at least BUPC_DUMP_MIN_LENGTH bytes, and
 * returns 0. bupc_local_to_shared makes a pointer to a local address in the memory of `thread`;
 * bupc_inverse_cast finds the thread. bupc_ptradd adds `elemincr` elements of elemsz bytes to a pointer with
 * blocks of `blockelems` elements (0: indefinite).
 */
#define BUPC_DUMP_MIN_LENGTH 100
extern int bupc_dump_shared(shared const void *__ptr, char *__buf, int __maxlen);
extern shared void *bupc_local_to_shared(void *__ptr, int __threadid, int __phase);
extern shared void *bupc_inverse_cast(void *__ptr);
extern shared void *bupc_ptradd(shared void *__ptr, size_t __blockelems, size_t __elemsz,
                                ptrdiff_t __elemincr);

/* Time; see upc_tick.h. The last two in microseconds: the smallest step, the cost of a call. */
typedef uint64_t bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX (~(bupc_tick_t)0)
extern bupc_tick_t bupc_ticks_now(void);
extern uint64_t bupc_ticks_to_us(bupc_tick_t __ticks);
extern uint64_t bupc_ticks_to_ns(bupc_tick_t __ticks);
extern double bupc_tick_granularityus(void);
extern double bupc_tick_overheadus(void);

/*
 * Non-blocking copies and fills. The functions that end in i have no handle:
 * they are synchronised all together. Until then the source does not change and the destination is not used.
 */
typedef struct _upcri_eop *bupc_handle_t;
#define BUPC_COMPLETE_HANDLE ((bupc_handle_t)0)
extern bupc_handle_t bupc_memcpy_async(shared void *__dst, shared const void *__src, size_t __nbytes);
extern bupc_handle_t bupc_memget_async(void *__dst, shared const void *__src, size_t __nbytes);
extern bupc_handle_t bupc_memput_async(shared void *__dst, const void *__src, size_t __nbytes);
extern bupc_handle_t bupc_memset_async(shared void *__dst, int __c, size_t __nbytes);
extern void bupc_memcpy_asynci(shared void *__dst, shared const void *__src, size_t __nbytes);
extern void bupc_memget_asynci(void *__dst, shared const void *__src, size_t __nbytes);
extern void bupc_memput_asynci(shared void *__dst, const void *__src, size_t __nbytes);
extern void bupc_memset_asynci(shared void *__dst, int __c, size_t __nbytes);
/* Synchronisation: wait, or test (1: complete). Of an array of n handles all, or at least one; complete ones
 * become BUPC_COMPLETE_HANDLE. */
extern void bupc_waitsync(bupc_handle_t __handle);
extern int bupc_trysync(bupc_handle_t __handle);
extern void bupc_waitsync_all(bupc_handle_t *__handles, size_t __n);
extern int bupc_trysync_all(bupc_handle_t *__handles, size_t __n);
extern void bupc_waitsync_some(bupc_handle_t *__handles, size_t __n);
extern int bupc_trysync_some(bupc_handle_t *__handles, size_t __n);
extern void bupc_waitsynci(void);
extern int bupc_trysynci(void);
/* Operations without a handle that are started between these two are synchronised by the handle of the
 * second. */
extern void bupc_begin_accessregion(void);
extern bupc_handle_t bupc_end_accessregion(void);

/*
 * Copies of memory that is not contiguous; each shared object may be another thread's. Blocking, and
 * as _async with a handle.
 *   vlist      regions of any size
 *   ilist      addresses, with one size for each side
 *   fstrided   chunks with one distance for each side
 *   strided    a section of an array: count[0] bytes, count[i] times strides[i - 1] bytes apart
 *   strided2d, strided3d   the same for two and three dimensions, without arrays of arguments
 *   transpose  as strided, with a stride for the bytes of count[0] too, and any sign and order of strides
 */
#define BUPC_SG_DESIGN_A 1
#define BUPC_SG_DESIGN_B 1
#define BUPC_STRIDED_DESIGN_A 1
#define BUPC_STRIDED_DESIGN_B 1
typedef struct bupc_pmemvec_S {
    void *addr;
    size_t len;
} bupc_pmemvec_t;
typedef struct bupc_smemvec_S {
    shared void *addr;
    size_t len;
} bupc_smemvec_t;
extern void bupc_memcpy_vlist(size_t __dstcount, bupc_smemvec_t const __dstlist[], size_t __srccount,
                              bupc_smemvec_t const __srclist[]);
extern bupc_handle_t bupc_memcpy_vlist_async(size_t __dstcount, bupc_smemvec_t const __dstlist[],
                                             size_t __srccount, bupc_smemvec_t const __srclist[]);
extern void bupc_memput_vlist(size_t __dstcount, bupc_smemvec_t const __dstlist[], size_t __srccount,
                              bupc_pmemvec_t const __srclist[]);
extern bupc_handle_t bupc_memput_vlist_async(size_t __dstcount, bupc_smemvec_t const __dstlist[],
                                             size_t __srccount, bupc_pmemvec_t const __srclist[]);
extern void bupc_memget_vlist(size_t __dstcount, bupc_pmemvec_t const __dstlist[], size_t __srccount,
                              bupc_smemvec_t const __srclist[]);
extern bupc_handle_t bupc_memget_vlist_async(size_t __dstcount, bupc_pmemvec_t const __dstlist[],
                                             size_t __srccount, bupc_smemvec_t const __srclist[]);
extern void bupc_memcpy_ilist(size_t __dstcount, shared void *const __dstlist[], size_t __dstlen,
                              size_t __srccount, shared const void *const __srclist[], size_t __srclen);
extern bupc_handle_t bupc_memcpy_ilist_async(size_t __dstcount, shared void *const __dstlist[],
                                             size_t __dstlen, size_t __srccount,
                                             shared const void *const __srclist[], size_t __srclen);
extern void bupc_memput_ilist(size_t __dstcount, shared void *const __dstlist[], size_t __dstlen,
                              size_t __srccount, const void *const __srclist[], size_t __srclen);
extern bupc_handle_t bupc_memput_ilist_async(size_t __dstcount, shared void *const __dstlist[],
                                             size_t __dstlen, size_t __srccount,
                                             const void *const __srclist[], size_t __srclen);
extern void bupc_memget_ilist(size_t __dstcount, void *const __dstlist[], size_t __dstlen, size_t __srccount,
                              shared const void *const __srclist[], size_t __srclen);
extern bupc_handle_t bupc_memget_ilist_async(size_t __dstcount, void *const __dstlist[], size_t __dstlen,
                                             size_t __srccount, shared const void *const __srclist[],
                                             size_t __srclen);
extern void bupc_memcpy_fstrided(shared void *__dstaddr, size_t __dstchunklen, size_t __dstchunkstride,
                                 size_t __dstchunkcount, shared const void *__srcaddr, size_t __srcchunklen,
                                 size_t __srcchunkstride, size_t __srcchunkcount);
extern bupc_handle_t bupc_memcpy_fstrided_async(shared void *__dstaddr, size_t __dstchunklen,
                                                size_t __dstchunkstride, size_t __dstchunkcount,
                                                shared const void *__srcaddr, size_t __srcchunklen,
                                                size_t __srcchunkstride, size_t __srcchunkcount);
extern void bupc_memput_fstrided(shared void *__dstaddr, size_t __dstchunklen, size_t __dstchunkstride,
                                 size_t __dstchunkcount, const void *__srcaddr, size_t __srcchunklen,
                                 size_t __srcchunkstride, size_t __srcchunkcount);
extern bupc_handle_t bupc_memput_fstrided_async(shared void *__dstaddr, size_t __dstchunklen,
                                                size_t __dstchunkstride, size_t __dstchunkcount,
                                                const void *__srcaddr, size_t __srcchunklen,
                                                size_t __srcchunkstride, size_t __srcchunkcount);
extern void bupc_memget_fstrided(void *__dstaddr, size_t __dstchunklen, size_t __dstchunkstride,
                                 size_t __dstchunkcount, shared const void *__srcaddr, size_t __srcchunklen,
                                 size_t __srcchunkstride, size_t __srcchunkcount);
extern bupc_handle_t bupc_memget_fstrided_async(void *__dstaddr, size_t __dstchunklen,
                                                size_t __dstchunkstride, size_t __dstchunkcount,
                                                shared const void *__srcaddr, size_t __srcchunklen,
                                                size_t __srcchunkstride, size_t __srcchunkcount);
extern void bupc_memcpy_strided(shared void *__dstaddr, const size_t __dststrides[],
                                shared const void *__srcaddr, const size_t __srcstrides[],
                                const size_t __count[], size_t __stridelevels);
extern bupc_handle_t bupc_memcpy_strided_async(shared void *__dstaddr, const size_t __dststrides[],
                                               shared const void *__srcaddr, const size_t __srcstrides[],
                                               const size_t __count[], size_t __stridelevels);
extern void bupc_memput_strided(shared void *__dstaddr, const size_t __dststrides[], const void *__srcaddr,
                                const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);
extern bupc_handle_t bupc_memput_strided_async(shared void *__dstaddr, const size_t __dststrides[],
                                               const void *__srcaddr, const size_t __srcstrides[],
                                               const size_t __count[], size_t __stridelevels);
extern void bupc_memget_strided(void *__dstaddr, const size_t __dststrides[], shared const void *__srcaddr,
                                const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);
extern bupc_handle_t bupc_memget_strided_async(void *__dstaddr, const size_t __dststrides[],
                                               shared const void *__srcaddr, const size_t __srcstrides[],
                                               const size_t __count[], size_t __stridelevels);
extern void bupc_memcpy_strided2d(shared void *__dstaddr, size_t __dstrowstride, shared const void *__srcaddr,
                                  size_t __srcrowstride, size_t __rowbytes, size_t __rows);
extern bupc_handle_t bupc_memcpy_strided2d_async(shared void *__dstaddr, size_t __dstrowstride,
                                                 shared const void *__srcaddr, size_t __srcrowstride,
                                                 size_t __rowbytes, size_t __rows);
extern void bupc_memput_strided2d(shared void *__dstaddr, size_t __dstrowstride, const void *__srcaddr,
                                  size_t __srcrowstride, size_t __rowbytes, size_t __rows);
extern bupc_handle_t bupc_memput_strided2d_async(shared void *__dstaddr, size_t __dstrowstride,
                                                 const void *__srcaddr, size_t __srcrowstride,
                                                 size_t __rowbytes, size_t __rows);
extern void bupc_memget_strided2d(void *__dstaddr, size_t __dstrowstride, shared const void *__srcaddr,
                                  size_t __srcrowstride, size_t __rowbytes, size_t __rows);
extern bupc_handle_t bupc_memget_strided2d_async(void *__dstaddr, size_t __dstrowstride,
                                                 shared const void *__srcaddr, size_t __srcrowstride,
                                                 size_t __rowbytes, size_t __rows);
extern void bupc_memcpy_strided3d(shared void *__dstaddr, size_t __dstrowstride, size_t __dstplanestride,
                                  shared const void *__srcaddr, size_t __srcrowstride,
                                  size_t __srcplanestride, size_t __rowbytes, size_t __rows, size_t __planes);
extern bupc_handle_t bupc_memcpy_strided3d_async(shared void *__dstaddr, size_t __dstrowstride,
                                                 size_t __dstplanestride, shared const void *__srcaddr,
                                                 size_t __srcrowstride, size_t __srcplanestride,
                                                 size_t __rowbytes, size_t __rows, size_t __planes);
extern void bupc_memput_strided3d(shared void *__dstaddr, size_t __dstrowstride, size_t __dstplanestride,
                                  const void *__srcaddr, size_t __srcrowstride, size_t __srcplanestride,
                                  size_t __rowbytes, size_t __rows, size_t __planes);
extern bupc_handle_t bupc_memput_strided3d_async(shared void *__dstaddr, size_t __dstrowstride,
                                                 size_t __dstplanestride, const void *__srcaddr,
                                                 size_t __srcrowstride, size_t __srcplanestride,
                                                 size_t __rowbytes, size_t __rows, size_t __planes);
extern void bupc_memget_strided3d(void *__dstaddr, size_t __dstrowstride, size_t __dstplanestride,
                                  shared const void *__srcaddr, size_t __srcrowstride,
                                  size_t __srcplanestride, size_t __rowbytes, size_t __rows, size_t __planes);
extern bupc_handle_t bupc_memget_strided3d_async(void *__dstaddr, size_t __dstrowstride,
                                                 size_t __dstplanestride, shared const void *__srcaddr,
                                                 size_t __srcrowstride, size_t __srcplanestride,
                                                 size_t __rowbytes, size_t __rows, size_t __planes);
extern void bupc_memcpy_transpose(shared void *__dstaddr, const ptrdiff_t __dststrides[],
                                  shared const void *__srcaddr, const ptrdiff_t __srcstrides[],
                                  const size_t __count[], size_t __stridelevels);
extern bupc_handle_t bupc_memcpy_transpose_async(shared void *__dstaddr, const ptrdiff_t __dststrides[],
                                                 shared const void *__srcaddr, const ptrdiff_t __srcstrides[],
                                                 const size_t __count[], size_t __stridelevels);
extern void bupc_memput_transpose(shared void *__dstaddr, const ptrdiff_t __dststrides[],
                                  const void *__srcaddr, const ptrdiff_t __srcstrides[],
                                  const size_t __count[], size_t __stridelevels);
extern bupc_handle_t bupc_memput_transpose_async(shared void *__dstaddr, const ptrdiff_t __dststrides[],
                                                 const void *__srcaddr, const ptrdiff_t __srcstrides[],
                                                 const size_t __count[], size_t __stridelevels);
extern void bupc_memget_transpose(void *__dstaddr, const ptrdiff_t __dststrides[],
                                  shared const void *__srcaddr, const ptrdiff_t __srcstrides[],
                                  const size_t __count[], size_t __stridelevels);
extern bupc_handle_t bupc_memget_transpose_async(void *__dstaddr, const ptrdiff_t __dststrides[],
                                                 shared const void *__srcaddr, const ptrdiff_t __srcstrides[],
                                                 const size_t __count[], size_t __stridelevels);

/* The proposal's own names (LBNL-56495), for programs that ask for them. */
#ifdef BUPC_USE_UPC_NAMESPACE
#include <upc_nb.h> /* upc_handle_t */
#endif
#include <bupc_proposal_names.h>

/*
 * Teams: sequences of threads, numbered from 0. bupc_team_split forms one of those that pass the same color,
 * in the order of myrelrank; all members of the parent call it. The collectives return a handle that
 * bupc_coll_wait waits for; blocks and flags as in upc_all_broadcast and upc_all_exchange. The last two read
 * and write the algorithms of a team.
 */
typedef struct upcri_team *bupc_team_t;
typedef struct upcri_coll *bupc_coll_handle_t;
#define BUPC_TEAM_ALL ((bupc_team_t)0)
#define BUPC_COLL_DONE ((bupc_coll_handle_t)0)
extern bupc_team_t bupc_team_split(bupc_team_t __parent, int __mycolor, int __myrelrank);
extern bupc_coll_handle_t bupc_team_broadcast(bupc_team_t __team, shared void *__dst,
                                              shared const void *__src, size_t __nbytes, upc_flag_t __flags);
extern bupc_coll_handle_t bupc_team_exchange(bupc_team_t __team, shared void *__dst, shared const void *__src,
                                             size_t __nbytes, upc_flag_t __flags);
extern void bupc_coll_wait(bupc_coll_handle_t __handle);
extern void bupc_load_coll_tuning_file(bupc_team_t __team, char *__file);
extern void bupc_store_coll_tuning_file(bupc_team_t __team, char *__file);

/*
 * Semaphores, with a value of 0 at first: a post adds 1, or n, a wait waits for that much and subtracts it, a
 * try does so if it can at once (1: it did). Every one implies a fence; the poster does not wait for the
 * post's arrival. Flags: of each pair one, or none for the second; promises about the use.
 * bupc_memput_signal copies, then posts n to s, of dst's thread; with _async, src must not change until the
 * data has been seen there.
 */
#define BUPC_SEM_BOOLEAN 1 /* the value is 0 or 1, and there is no N */
#define BUPC_SEM_INTEGER 2
#define BUPC_SEM_SPRODUCER 4 /* a single thread posts */
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16 /* a single thread waits or tries */
#define BUPC_SEM_MCONSUMER 32
#define BUPC_SEM_MAXVALUE 65535
struct bupc_sem_S;
typedef shared struct bupc_sem_S bupc_sem_t;
extern bupc_sem_t *bupc_sem_alloc(int __flags);
extern void bupc_sem_free(bupc_sem_t *__s);
extern void bupc_sem_post(bupc_sem_t *__s);
extern void bupc_sem_postN(bupc_sem_t *__s, size_t __n);
extern void bupc_sem_wait(bupc_sem_t *__s);
extern void bupc_sem_waitN(bupc_sem_t *__s, size_t __n);
extern int bupc_sem_try(bupc_sem_t *__s);
extern int bupc_sem_tryN(bupc_sem_t *__s, size_t __n);
extern void bupc_memput_signal(shared void *__dst, const void *__src, size_t __nbytes, bupc_sem_t *__s,
                               size_t __n);
extern void bupc_memput_signal_async(shared void *__dst, const void *__src, size_t __nbytes, bupc_sem_t *__s,
                                     size_t __n);

/* What a timeline gets: <upcr/misc.h>. The arguments of a message are evaluated only where it is recorded. */
extern void bupc_trace_setmask(const char *__mask);
extern const char *bupc_trace_getmask(void);
extern void bupc_stats_setmask(const char *__mask);
extern const char *bupc_stats_getmask(void);
extern void bupc_trace_settracelocal(int __on);
extern int bupc_trace_gettracelocal(void);
#if defined(UPCR_STATS) && UPCR_STATS
extern int upcri_trace_marks_at(const char *__file, int __line);
extern void upcri_trace_mark(const char *__format, ...);
#define bupc_trace_printf(parenthesized) \
    (upcri_trace_marks_at(__FILE__, __LINE__) ? upcri_trace_mark parenthesized : (void)0)
#else
#define bupc_trace_printf(parenthesized) ((void)0)
#endif

#endif
#endif
