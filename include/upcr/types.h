/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types and constants of the UPC Runtime interface (specification 3.5, "UPC Runtime Types" and "System
 * parameters"; names added up to 3.14).
 */
#pragma once
#include "upcr/base.h"

/* A UPC thread: 0 .. upcr_threads() - 1. */
typedef unsigned int upcr_thread_t;
/* A phase: the position in a block, in elements. */
typedef unsigned int upcr_phase_t;
/* The largest unsigned integer that a register holds. */
typedef uint64_t upcr_register_value_t;
#define SIZEOF_UPCR_REGISTER_VALUE_T 8

/*
 * Pointers-to-shared. Opaque: programs use the functions of sptr.h. Two layouts, chosen when upcr is
 * configured (UPCR_POINTER_LAYOUT):
 *   packed  one integer, from high to low bits: phase, thread, address (20/10/34 by default); null is 0
 *   struct  16 bytes; null has address 0
 * The address is the byte offset in the owning thread's segment, whose first page is not mapped: so 0
 * is null, an access through it ends the job, and no object ever has offset 1 (UPCR_INITIALIZED_*).
 */
#ifdef UPCRI_POINTER_packed
typedef uint64_t upcr_shared_ptr_t;
typedef uint64_t upcr_pshared_ptr_t; /* the same with phase 0 */
#define UPCR_SHARED_SIZE 8
#define UPCR_PSHARED_SIZE 8
#define UPCR_NULL_SHARED ((upcr_shared_ptr_t)0)
#define UPCR_NULL_PSHARED ((upcr_pshared_ptr_t)0)
#define UPCR_INITIALIZED_SHARED ((upcr_shared_ptr_t)1)
#define UPCR_INITIALIZED_PSHARED ((upcr_pshared_ptr_t)1)
#define UPCRI_ADDR_MASK ((UINT64_C(1) << UPCRI_ADDR_BITS) - 1)
#define UPCRI_THREAD_MASK ((UINT64_C(1) << UPCRI_THREAD_BITS) - 1)
#define UPCRI_PHASE_SHIFT (UPCRI_THREAD_BITS + UPCRI_ADDR_BITS)
#define UPCRI_PHASE_MASK ((UINT64_C(1) << UPCRI_PHASE_BITS) - 1)
#else
typedef struct upcri_shared_ptr_S {
    uintptr_t s_addr;
    uint32_t s_thread;
    uint32_t s_phase;
} upcr_shared_ptr_t;
typedef struct upcri_pshared_ptr_S {
    uintptr_t s_addr;
    uint32_t s_thread;
    uint32_t s_unused; /* always 0: makes the size 16 by name, and comparison by bytes safe */
} upcr_pshared_ptr_t;
#define UPCR_SHARED_SIZE 16
#define UPCR_PSHARED_SIZE 16
/* Brace lists: initialisers only. In expressions use upcr_null_shared and upcr_null_pshared. */
#define UPCR_NULL_SHARED \
    { 0, 0, 0 }
#define UPCR_NULL_PSHARED \
    { 0, 0, 0 }
#define UPCR_INITIALIZED_SHARED \
    { 1, 0, 0 }
#define UPCR_INITIALIZED_PSHARED \
    { 1, 0, 0 }
#endif

UPCRI_BEGIN_C
/* The null pointers as objects, usable in any expression. */
extern UPCRI_API const upcr_shared_ptr_t upcr_null_shared;
extern UPCRI_API const upcr_pshared_ptr_t upcr_null_pshared;
UPCRI_END_C

#define UPCR_RESTRICT __restrict__
#define UPCR_RESTRICT_SHARED
#define UPCR_RESTRICT_PSHARED

/* Limits. */
#ifdef UPCRI_POINTER_packed
#if UPCRI_PHASE_BITS >= 31
#define UPCR_MAX_BLOCKSIZE 2147483647
#else
#define UPCR_MAX_BLOCKSIZE (1 << UPCRI_PHASE_BITS)
#endif
#if UPCRI_THREAD_BITS >= 31
#define UPCR_MAX_THREADS 2147483647
#else
#define UPCR_MAX_THREADS (1 << UPCRI_THREAD_BITS)
#endif
#else
#define UPCR_MAX_BLOCKSIZE 2147483647
#define UPCR_MAX_THREADS 1048576
#endif
#define UPCR_MAX_PTHREADS 256
#define UPCR_TLD_MAX_ALIGN 16
#define UPCR_PAGESIZE 4096
#define UPCR_COLLECTIVE_SCRATCH_SIZE (2 << 20)

/* How remote memory is reached: some of it by the hardware, the rest by a network layer. */
#define UPCR_PURE_SHARED 1
#define UPCR_PURE_DISTRIBUTED 2
#define UPCR_SHARED_DISTRIBUTED 3
#define UPCR_OTHER 4
#define UPCR_PLATFORM_ENVIRONMENT UPCR_SHARED_DISTRIBUTED

/*
 * Non-zero iff aligned accesses of `sz` bytes are single-copy atomic, on every conduit and data path;
 * the largest such size for 0. A constant expression for a constant argument.
 */
#define UPCR_ATOMIC_MEMSIZE(sz) ((sz) == 0 ? 8 : ((sz) == 1 || (sz) == 2 || (sz) == 4 || (sz) == 8))

/* Specification implemented. */
#define UPCR_RUNTIME_SPEC_MAJOR 3
#define UPCR_RUNTIME_SPEC_MINOR 14

/* upcr_startup_attach() flags. */
#define UPCR_ATTACH_ENV_OVERRIDE 1
#define UPCR_ATTACH_REQUIRE_SIZE 2
#define UPCR_ATTACH_SIZE_WARN 4

/* Barrier flags (barrier.h). */
#define UPCR_BARRIERFLAG_ANONYMOUS 1
#define UPCR_BARRIERFLAG_UNNAMED 2
#define UPCR_BARRIERVAL_ANONYMOUS 0xdeadbeef
#define UPCR_FINAL_BARRIER_VALUE 0xFFC1A43B

/* Explicit handles of non-blocking operations (nb.h). All-zero is the handle of a completed operation. */
struct _upcri_eop;
typedef struct _upcri_eop *upcr_handle_t;
typedef struct _upcri_eop *bupc_handle_t;
#define UPCR_INVALID_HANDLE ((upcr_handle_t)0)
#define BUPC_COMPLETE_HANDLE ((bupc_handle_t)0)
/* Handle of a non-blocking value get (val.h). */
typedef struct upcri_valget *upcr_valget_handle_t;
