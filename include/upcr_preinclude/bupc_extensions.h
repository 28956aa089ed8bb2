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
extern void bupc_all_free(shared void *ptr);
extern void bupc_all_lock_free(upc_lock_t *ptr);

/* The distance of two threads: a class, symmetric, constant while the program runs. */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR 200
#define BUPC_THREADS_FAR 300
#define BUPC_THREADS_VERYFAR 400
extern unsigned int bupc_thread_distance(int x, int y);

/* Whether the calling thread can use a plain pointer for this object, or for all memory of this thread; that
 * pointer. */
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

/* Time; see upc_tick.h. The last two in microseconds: the smallest step, the cost of a call. */
typedef uint64_t bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX (~(bupc_tick_t)0)
extern bupc_tick_t bupc_ticks_now(void);
extern uint64_t bupc_ticks_to_us(bupc_tick_t ticks);
extern uint64_t bupc_ticks_to_ns(bupc_tick_t ticks);
extern double bupc_tick_granularityus(void);
extern double bupc_tick_overheadus(void);

/*
 * Non-blocking copies and fills. The functions that end in i have no handle:
 * they are synchronised all together. Until then the source does not change and the destination is not used.
 */
typedef struct _upcri_eop *bupc_handle_t;
#define BUPC_COMPLETE_HANDLE ((bupc_handle_t)0)
extern bupc_handle_t bupc_memcpy_async(shared void *dst, shared const void *src, size_t nbytes);
extern bupc_handle_t bupc_memget_async(void *dst, shared const void *src, size_t nbytes);
extern bupc_handle_t bupc_memput_async(shared void *dst, const void *src, size_t nbytes);
extern bupc_handle_t bupc_memset_async(shared void *dst, int c, size_t nbytes);
extern void bupc_memcpy_asynci(shared void *dst, shared const void *src, size_t nbytes);
extern void bupc_memget_asynci(void *dst, shared const void *src, size_t nbytes);
extern void bupc_memput_asynci(shared void *dst, const void *src, size_t nbytes);
extern void bupc_memset_asynci(shared void *dst, int c, size_t nbytes);
/* Synchronisation: wait, or test (1: complete). Of an array of n handles all, or at least one; complete ones
 * become BUPC_COMPLETE_HANDLE. */
extern void bupc_waitsync(bupc_handle_t handle);
extern int bupc_trysync(bupc_handle_t handle);
extern void bupc_waitsync_all(bupc_handle_t *handles, size_t n);
extern int bupc_trysync_all(bupc_handle_t *handles, size_t n);
extern void bupc_waitsync_some(bupc_handle_t *handles, size_t n);
extern int bupc_trysync_some(bupc_handle_t *handles, size_t n);
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
extern void bupc_memcpy_vlist(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                              bupc_smemvec_t const srclist[]);
extern bupc_handle_t bupc_memcpy_vlist_async(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                                             bupc_smemvec_t const srclist[]);
extern void bupc_memput_vlist(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                              bupc_pmemvec_t const srclist[]);
extern bupc_handle_t bupc_memput_vlist_async(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                                             bupc_pmemvec_t const srclist[]);
extern void bupc_memget_vlist(size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount,
                              bupc_smemvec_t const srclist[]);
extern bupc_handle_t bupc_memget_vlist_async(size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount,
                                             bupc_smemvec_t const srclist[]);
extern void bupc_memcpy_ilist(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,
                              shared const void *const srclist[], size_t srclen);
extern bupc_handle_t bupc_memcpy_ilist_async(size_t dstcount, shared void *const dstlist[], size_t dstlen,
                                             size_t srccount, shared const void *const srclist[],
                                             size_t srclen);
extern void bupc_memput_ilist(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,
                              const void *const srclist[], size_t srclen);
extern bupc_handle_t bupc_memput_ilist_async(size_t dstcount, shared void *const dstlist[], size_t dstlen,
                                             size_t srccount, const void *const srclist[], size_t srclen);
extern void bupc_memget_ilist(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
                              shared const void *const srclist[], size_t srclen);
extern bupc_handle_t bupc_memget_ilist_async(size_t dstcount, void *const dstlist[], size_t dstlen,
                                             size_t srccount, shared const void *const srclist[],
                                             size_t srclen);
extern void bupc_memcpy_fstrided(shared void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                 size_t dstchunkcount, shared const void *srcaddr, size_t srcchunklen,
                                 size_t srcchunkstride, size_t srcchunkcount);
extern bupc_handle_t bupc_memcpy_fstrided_async(shared void *dstaddr, size_t dstchunklen,
                                                size_t dstchunkstride, size_t dstchunkcount,
                                                shared const void *srcaddr, size_t srcchunklen,
                                                size_t srcchunkstride, size_t srcchunkcount);
extern void bupc_memput_fstrided(shared void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                 size_t dstchunkcount, const void *srcaddr, size_t srcchunklen,
                                 size_t srcchunkstride, size_t srcchunkcount);
extern bupc_handle_t bupc_memput_fstrided_async(shared void *dstaddr, size_t dstchunklen,
                                                size_t dstchunkstride, size_t dstchunkcount,
                                                const void *srcaddr, size_t srcchunklen,
                                                size_t srcchunkstride, size_t srcchunkcount);
extern void bupc_memget_fstrided(void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                 size_t dstchunkcount, shared const void *srcaddr, size_t srcchunklen,
                                 size_t srcchunkstride, size_t srcchunkcount);
extern bupc_handle_t bupc_memget_fstrided_async(void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                                size_t dstchunkcount, shared const void *srcaddr,
                                                size_t srcchunklen, size_t srcchunkstride,
                                                size_t srcchunkcount);
extern void bupc_memcpy_strided(shared void *dstaddr, const size_t dststrides[], shared const void *srcaddr,
                                const size_t srcstrides[], const size_t count[], size_t stridelevels);
extern bupc_handle_t bupc_memcpy_strided_async(shared void *dstaddr, const size_t dststrides[],
                                               shared const void *srcaddr, const size_t srcstrides[],
                                               const size_t count[], size_t stridelevels);
extern void bupc_memput_strided(shared void *dstaddr, const size_t dststrides[], const void *srcaddr,
                                const size_t srcstrides[], const size_t count[], size_t stridelevels);
extern bupc_handle_t bupc_memput_strided_async(shared void *dstaddr, const size_t dststrides[],
                                               const void *srcaddr, const size_t srcstrides[],
                                               const size_t count[], size_t stridelevels);
extern void bupc_memget_strided(void *dstaddr, const size_t dststrides[], shared const void *srcaddr,
                                const size_t srcstrides[], const size_t count[], size_t stridelevels);
extern bupc_handle_t bupc_memget_strided_async(void *dstaddr, const size_t dststrides[],
                                               shared const void *srcaddr, const size_t srcstrides[],
                                               const size_t count[], size_t stridelevels);
extern void bupc_memcpy_strided2d(shared void *dstaddr, size_t dstrowstride, shared const void *srcaddr,
                                  size_t srcrowstride, size_t rowbytes, size_t rows);
extern bupc_handle_t bupc_memcpy_strided2d_async(shared void *dstaddr, size_t dstrowstride,
                                                 shared const void *srcaddr, size_t srcrowstride,
                                                 size_t rowbytes, size_t rows);
extern void bupc_memput_strided2d(shared void *dstaddr, size_t dstrowstride, const void *srcaddr,
                                  size_t srcrowstride, size_t rowbytes, size_t rows);
extern bupc_handle_t bupc_memput_strided2d_async(shared void *dstaddr, size_t dstrowstride,
                                                 const void *srcaddr, size_t srcrowstride, size_t rowbytes,
                                                 size_t rows);
extern void bupc_memget_strided2d(void *dstaddr, size_t dstrowstride, shared const void *srcaddr,
                                  size_t srcrowstride, size_t rowbytes, size_t rows);
extern bupc_handle_t bupc_memget_strided2d_async(void *dstaddr, size_t dstrowstride,
                                                 shared const void *srcaddr, size_t srcrowstride,
                                                 size_t rowbytes, size_t rows);
extern void bupc_memcpy_strided3d(shared void *dstaddr, size_t dstrowstride, size_t dstplanestride,
                                  shared const void *srcaddr, size_t srcrowstride, size_t srcplanestride,
                                  size_t rowbytes, size_t rows, size_t planes);
extern bupc_handle_t bupc_memcpy_strided3d_async(shared void *dstaddr, size_t dstrowstride,
                                                 size_t dstplanestride, shared const void *srcaddr,
                                                 size_t srcrowstride, size_t srcplanestride, size_t rowbytes,
                                                 size_t rows, size_t planes);
extern void bupc_memput_strided3d(shared void *dstaddr, size_t dstrowstride, size_t dstplanestride,
                                  const void *srcaddr, size_t srcrowstride, size_t srcplanestride,
                                  size_t rowbytes, size_t rows, size_t planes);
extern bupc_handle_t bupc_memput_strided3d_async(shared void *dstaddr, size_t dstrowstride,
                                                 size_t dstplanestride, const void *srcaddr,
                                                 size_t srcrowstride, size_t srcplanestride, size_t rowbytes,
                                                 size_t rows, size_t planes);
extern void bupc_memget_strided3d(void *dstaddr, size_t dstrowstride, size_t dstplanestride,
                                  shared const void *srcaddr, size_t srcrowstride, size_t srcplanestride,
                                  size_t rowbytes, size_t rows, size_t planes);
extern bupc_handle_t bupc_memget_strided3d_async(void *dstaddr, size_t dstrowstride, size_t dstplanestride,
                                                 shared const void *srcaddr, size_t srcrowstride,
                                                 size_t srcplanestride, size_t rowbytes, size_t rows,
                                                 size_t planes);
extern void bupc_memcpy_transpose(shared void *dstaddr, const ptrdiff_t dststrides[],
                                  shared const void *srcaddr, const ptrdiff_t srcstrides[],
                                  const size_t count[], size_t stridelevels);
extern bupc_handle_t bupc_memcpy_transpose_async(shared void *dstaddr, const ptrdiff_t dststrides[],
                                                 shared const void *srcaddr, const ptrdiff_t srcstrides[],
                                                 const size_t count[], size_t stridelevels);
extern void bupc_memput_transpose(shared void *dstaddr, const ptrdiff_t dststrides[], const void *srcaddr,
                                  const ptrdiff_t srcstrides[], const size_t count[], size_t stridelevels);
extern bupc_handle_t bupc_memput_transpose_async(shared void *dstaddr, const ptrdiff_t dststrides[],
                                                 const void *srcaddr, const ptrdiff_t srcstrides[],
                                                 const size_t count[], size_t stridelevels);
extern void bupc_memget_transpose(void *dstaddr, const ptrdiff_t dststrides[], shared const void *srcaddr,
                                  const ptrdiff_t srcstrides[], const size_t count[], size_t stridelevels);
extern bupc_handle_t bupc_memget_transpose_async(void *dstaddr, const ptrdiff_t dststrides[],
                                                 shared const void *srcaddr, const ptrdiff_t srcstrides[],
                                                 const size_t count[], size_t stridelevels);

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
extern bupc_team_t bupc_team_split(bupc_team_t parent, int mycolor, int myrelrank);
extern bupc_coll_handle_t bupc_team_broadcast(bupc_team_t team, shared void *dst, shared const void *src,
                                              size_t nbytes, upc_flag_t flags);
extern bupc_coll_handle_t bupc_team_exchange(bupc_team_t team, shared void *dst, shared const void *src,
                                             size_t nbytes, upc_flag_t flags);
extern void bupc_coll_wait(bupc_coll_handle_t handle);
extern void bupc_load_coll_tuning_file(bupc_team_t team, char *file);
extern void bupc_store_coll_tuning_file(bupc_team_t team, char *file);

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
extern bupc_sem_t *bupc_sem_alloc(int flags);
extern void bupc_sem_free(bupc_sem_t *s);
extern void bupc_sem_post(bupc_sem_t *s);
extern void bupc_sem_postN(bupc_sem_t *s, size_t n);
extern void bupc_sem_wait(bupc_sem_t *s);
extern void bupc_sem_waitN(bupc_sem_t *s, size_t n);
extern int bupc_sem_try(bupc_sem_t *s);
extern int bupc_sem_tryN(bupc_sem_t *s, size_t n);
extern void bupc_memput_signal(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);
extern void bupc_memput_signal_async(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s,
                                     size_t n);

/* Masks of traces and statistics: stored, nothing is traced; the arguments of a message are not evaluated. */
extern void bupc_trace_setmask(const char *mask);
extern const char *bupc_trace_getmask(void);
extern void bupc_stats_setmask(const char *mask);
extern const char *bupc_stats_getmask(void);
extern void bupc_trace_settracelocal(int on);
extern int bupc_trace_gettracelocal(void);
#define bupc_trace_printf(parenthesized) ((void)0)

#endif
#endif
