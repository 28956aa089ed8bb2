/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static shared data (UPC Runtime specification, "Static data initialization"): functions that translated C
 * calls at start-up for shared variables with static storage duration.
 *
 * The variable itself becomes a pointer-to-shared of the process, the proxy, which these calls set to
 * memory from the shared heap. Called from static_init (init.h) by every UPC thread. Collective: the same
 * calls with equal arguments, in the same order, everywhere; several UPC threads of one process pass the
 * same proxies. No barrier is needed between calls, and none is implied: before a thread accesses another's
 * part there must be a barrier. On return the proxies of the calling thread's process are set.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/*
 * One variable: a pointer to its proxy, and its layout, that of upcr_all_alloc(nblocks, blocksz) with
 * nblocks = numblocks (times THREADS when mult_by_threads). The last three are the element's size, the
 * variable's name and its type; they may be 0, and initialisers of earlier translators end before. A type
 * string begins with the declaration's layout: "A8_" for [8], "A8H_" for [8 * THREADS], then "R4_" for shared
 * [4], "R0_" for shared []. If that needs more memory than the numbers before, it takes precedence; debug:
 * with a warning.
 */
typedef struct upcr_startup_shalloc_S {
    upcr_shared_ptr_t *sptr_addr;
    size_t blockbytes;
    size_t numblocks;
    int mult_by_threads;
    size_t elemsz;
    const char *namestr;
    const char *typestr;
} upcr_startup_shalloc_t;

typedef struct upcr_startup_pshalloc_S {
    upcr_pshared_ptr_t *psptr_addr;
    size_t blockbytes;
    size_t numblocks;
    int mult_by_threads;
    size_t elemsz;
    const char *namestr;
    const char *typestr;
} upcr_startup_pshalloc_t;

/*
 * Allocates infos[0 .. count - 1]. A proxy that is
 *   UPCR_NULL_*         gets zero-filled memory
 *   UPCR_INITIALIZED_*  gets memory with any contents: the initialiser follows
 *   anything else       was allocated by an earlier call (a variable declared in several files): unchanged
 */
UPCRI_API void upcr_startup_shalloc(upcr_startup_shalloc_t *infos, size_t count);
UPCRI_API void upcr_startup_pshalloc(upcr_startup_pshalloc_t *infos, size_t count);

/* One dimension of an array and of its initialiser, in elements. */
typedef struct upcr_startup_arrayinit_diminfo {
    size_t local_elems;  /* of the initialiser, at most shared_elems */
    size_t shared_elems; /* of the array, */
    int mult_by_threads; /* times THREADS when this is not 0; at most one dimension */
} upcr_startup_arrayinit_diminfo_t;

/*
 * Initialises the calling thread's own elements of a shared array; no data is transferred between threads.
 *
 *   dst         the array (the value of its proxy)
 *   src         the initialiser: an array of the local dimensions, row by row; NULL: all zero
 *   diminfos    the dimensions, slowest first, `dimcnt` of them
 *   elembytes   size of an element
 *   blockelems  elements in a block; 0: all of them (indefinite), 1: cyclic
 *
 * Elements without an initialiser become zero.
 */
UPCRI_API void upcr_startup_initarray(upcr_shared_ptr_t dst, void *src,
                                      upcr_startup_arrayinit_diminfo_t *diminfos, size_t dimcnt,
                                      size_t elembytes, size_t blockelems);
UPCRI_API void upcr_startup_initparray(upcr_pshared_ptr_t dst, void *src,
                                       upcr_startup_arrayinit_diminfo_t *diminfos, size_t dimcnt,
                                       size_t elembytes, size_t blockelems);

UPCRI_END_C
