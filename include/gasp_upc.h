/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of UPC programs (GASP specification 1.5, UPC). For the tool, which includes it. With each tag:
 * the arguments that follow colnum in gasp_event_notify(). Unless stated otherwise an event has a start and
 * an end with the same arguments; "start", "end", "atomic" name the types otherwise.
 *
 *   PTS *     const gasp_upc_PTS_t *, a pointer-to-shared (upcr_threadof_shared() and the like of upcr.h take
 *             it). Valid during the call
 *   lock *    const gasp_upc_lock_t *, the same for a lock
 *   handle    gasp_upc_nb_handle_t; null: the operation was complete at once, or is an implicit one
 */
#pragma once
#include "gasp.h"
#include "upcr/types.h"

#define GASP_UPC_VERSION 0x020311

typedef upcr_shared_ptr_t gasp_upc_PTS_t;
typedef upcr_shared_ptr_t gasp_upc_lock_t;
typedef upcr_handle_t gasp_upc_nb_handle_t;

/* The types of reductions. */
typedef enum {
    GASP_UPC_REDUCTION_C,
    GASP_UPC_REDUCTION_UC,
    GASP_UPC_REDUCTION_S,
    GASP_UPC_REDUCTION_US,
    GASP_UPC_REDUCTION_I,
    GASP_UPC_REDUCTION_UI,
    GASP_UPC_REDUCTION_L,
    GASP_UPC_REDUCTION_UL,
    GASP_UPC_REDUCTION_F,
    GASP_UPC_REDUCTION_D,
    GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

/* Tags of the user's events (pupc_create_event). */
#define GASP_UPC_USEREVT_START 100
#define GASP_UPC_USEREVT_END 999

#define GASP_UPC_ALLOC 1000             /* start: size_t nbytes; end: size_t nbytes, PTS *ptr */
#define GASP_UPC_GLOBAL_ALLOC 1001      /* start: size_t nblocks, size_t nbytes; end: the same, PTS *ptr */
#define GASP_UPC_ALL_ALLOC 1002         /* as GLOBAL_ALLOC */
#define GASP_UPC_FREE 1003              /* PTS *ptr */
#define GASP_UPC_GLOBAL_LOCK_ALLOC 1010 /* start: none; end: lock * */
#define GASP_UPC_ALL_LOCK_ALLOC 1011    /* as GLOBAL_LOCK_ALLOC */
#define GASP_UPC_LOCK_FREE 1012         /* lock * */
#define GASP_UPC_LOCK_ATTEMPT 1013      /* start: lock *; end: lock *, int result */
#define GASP_UPC_LOCK 1014              /* lock * */
#define GASP_UPC_UNLOCK 1015            /* lock * */
#define GASP_UPC_C_MALLOC 1020  /* start: size_t nbytes; end: size_t nbytes, void *ptr. calloc() too */
#define GASP_UPC_C_REALLOC 1021 /* start: void *old, size_t nbytes; end: the same (old is free), void *ptr */
#define GASP_UPC_C_FREE 1022    /* void *ptr */
#define GASP_UPC_C_FUNC 1023    /* const char *name */
#define GASP_UPC_MEMGET 1030    /* void *dst, PTS *src, size_t nbytes */
#define GASP_UPC_MEMPUT 1031    /* PTS *dst, const void *src, size_t nbytes */
#define GASP_UPC_MEMCPY 1032    /* PTS *dst, PTS *src, size_t nbytes */
#define GASP_UPC_MEMSET 1033    /* PTS *dst, int c, size_t nbytes */
#define GASP_UPC_NOTIFY 1100    /* int named, int value */
#define GASP_UPC_WAIT 1101      /* int named, int value. upcr_try_wait: only when it completes the phase */
#define GASP_UPC_PUT 1110       /* int relaxed, PTS *dst, const void *src, size_t nbytes */
#define GASP_UPC_GET 1111       /* int relaxed, void *dst, PTS *src, size_t nbytes */
#define GASP_UPC_NB_GET_INIT 1120     /* start: as GET (dst null: a value); end: the same, handle */
#define GASP_UPC_NB_PUT_INIT 1121     /* start: as PUT; end: the same, handle */
#define GASP_UPC_NB_SYNC 1122         /* handle */
#define GASP_UPC_BUPC_NB_TRYSYNC 1130 /* start: handle; end: handle, int result */
#define GASP_BUPC_NB_TRYSYNC GASP_UPC_BUPC_NB_TRYSYNC
#define GASP_UPC_BUPC_NB_MEMGET_INIT 1131 /* start: as MEMGET; end: the same, handle */
#define GASP_BUPC_NB_MEMGET_INIT GASP_UPC_BUPC_NB_MEMGET_INIT
#define GASP_UPC_BUPC_NB_MEMPUT_INIT 1132 /* start: as MEMPUT; end: the same, handle */
#define GASP_BUPC_NB_MEMPUT_INIT GASP_UPC_BUPC_NB_MEMPUT_INIT
#define GASP_UPC_BUPC_NB_MEMCPY_INIT 1133 /* start: as MEMCPY; end: the same, handle */
#define GASP_BUPC_NB_MEMCPY_INIT GASP_UPC_BUPC_NB_MEMCPY_INIT
/* atomic: PTS *ptr, size_t blockbytes, size_t nblocks, int times_threads, size_t elembytes, const char *name,
 * const char *type */
#define GASP_BUPC_STATIC_SHARED 1140
#define GASP_UPC_STATIC_SHARED GASP_BUPC_STATIC_SHARED
#define GASP_UPC_COLLECTIVE_EXIT 1210    /* int status */
#define GASP_UPC_NONCOLLECTIVE_EXIT 1211 /* atomic: int status */
#define GASP_UPC_ALL_BROADCAST 1300      /* PTS *dst, PTS *src, size_t nbytes, int flags */
#define GASP_UPC_ALL_SCATTER 1310        /* as ALL_BROADCAST */
#define GASP_UPC_ALL_GATHER 1320         /* as ALL_BROADCAST */
#define GASP_UPC_ALL_GATHER_ALL 1330     /* as ALL_BROADCAST */
#define GASP_UPC_ALL_EXCHANGE 1340       /* as ALL_BROADCAST */
#define GASP_UPC_ALL_PERMUTE 1350        /* PTS *dst, PTS *src, PTS *perm, size_t nbytes, int flags */
/* PTS *dst, PTS *src, unsigned long long op, size_t nelems, size_t blk_size, void *func, int flags,
 * gasp_upc_reduction_t type. The operation and the flags in the values of the file that calls */
#define GASP_UPC_ALL_REDUCE 1400
#define GASP_UPC_ALL_PREFIX_REDUCE 1410 /* as ALL_REDUCE */
