/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The UPC library under the names that UPC source gives it: translators leave calls such as upc_memget or
 * upc_threadof as they are. Each name is a upcr_ function, which documents it; those whose types differ in
 * UPC (size_t for a thread) are functions of their own. Callers, threads and completion are those of the
 * upcr_ function. The constants of upc_types.h and upc_collective.h are here too.
 *
 * The names of the optional libraries (non-blocking copies, castability, collectives, atomics, files ...) are
 * defined by the headers of those libraries.
 */
#pragma once
#include "upcr/sptr.h"
#include "upcr_preinclude/upc_collective_bits.h"
#include "upcr_preinclude/upc_collective_names.h"

/* Object-like on purpose: a space before the argument list, the address, an extern redeclaration all work. */
#define upc_global_exit upcr_global_exit

#define upc_alloc upcr_alloc
#define upc_local_alloc upcr_local_alloc
#define upc_global_alloc upcr_global_alloc
#define upc_all_alloc upcr_all_alloc
#define upc_free upcr_free
#define upc_all_free upcr_all_free
#define bupc_local_alloc upcr_local_alloc

#define upc_global_lock_alloc upcr_global_lock_alloc
#define upc_all_lock_alloc upcr_all_lock_alloc
#define upc_lock upcr_lock
#define upc_lock_attempt upcr_lock_attempt
#define upc_unlock upcr_unlock
#define upc_lock_free upcr_lock_free
#define upc_all_lock_free upcr_all_lock_free

#define upc_memget upcr_memget
#define upc_memput upcr_memput
#define upc_memcpy upcr_memcpy
#define upc_memset upcr_memset

#define upc_resetphase upcr_shared_resetphase

#define upc_dump_shared _bupc_dump_shared
#define bupc_dump_shared _bupc_dump_shared
#define bupc_local_to_shared _bupc_local_to_shared
#define bupc_inverse_cast _bupc_inverse_cast
#define bupc_ptradd _bupc_ptradd

#define upc_cast upcr_cast
#define upc_thread_info upcr_thread_info

#define upc_poll upcr_poll_nofence
#define bupc_poll upcr_poll_nofence

#define upc_all_broadcast bupc_all_broadcast
#define upc_all_scatter bupc_all_scatter
#define upc_all_gather bupc_all_gather
#define upc_all_gather_all bupc_all_gather_all
#define upc_all_exchange bupc_all_exchange
#define upc_all_permute bupc_all_permute
#define upc_all_sort bupc_all_sort

#define upc_tick_t bupc_tick_t
#define upc_ticks_now bupc_ticks_now
#define upc_ticks_to_ns bupc_ticks_to_ns
#define UPC_TICK_MIN BUPC_TICK_MIN
#define UPC_TICK_MAX BUPC_TICK_MAX

/* The UPC thread that owns the byte p points at; its phase; its address part. size_t as UPC has it. */
UPCRI_STATIC size_t upc_threadof(upcr_shared_ptr_t p) { return upcr_threadof_shared(p); }
UPCRI_STATIC size_t upc_phaseof(upcr_shared_ptr_t p) { return upcr_phaseof_shared(p); }
UPCRI_STATIC size_t upc_addrfield(upcr_shared_ptr_t p) { return upcr_addrfield_shared(p); }

/* Bytes of an object of `total` bytes in blocks of `nbytes` that thread `thread` owns. */
UPCRI_STATIC size_t upc_affinitysize(size_t total, size_t nbytes, size_t thread) {
    return upcr_affinitysize(total, nbytes, (upcr_thread_t)thread);
}

/* The tag of upc_file_t in translated code; never complete outside the UPC-IO library. */
struct bupc_file_S_trans;

/*
 * In translated code (upcc defines __BERKELEY_UPC_SECOND_PREPROCESS__ for it, and for nothing else) some C
 * library names belong to the UPC thread, not to the process: exit ends one UPC thread by way of the final
 * barrier, getenv is the same on all processes, rand is a sequence of each thread. malloc, free, strdup and
 * their family stay the C library's: the runtime does not track private allocations.
 */
#ifdef __BERKELEY_UPC_SECOND_PREPROCESS__
#define exit upcri_do_exit
#define getenv bupc_getenv
#define rand upcri_rand
#define srand upcri_srand
#endif
