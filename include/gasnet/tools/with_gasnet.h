/* SPDX-License-Identifier: BSD-3-Clause */
/* gasnet_tools: what exists only in a program that includes gasnet.h: memory, lists of VIS as text. */
#pragma once
#include "gasnet/tools/attributes.h"

#ifdef _GASNET_H

/* The most threads of a node that may use the library at the same time: a literal. */
#ifndef GASNETT_MAX_THREADS
#ifdef GASNET_SEQ
#define GASNETT_MAX_THREADS 1
#else
#define GASNETT_MAX_THREADS 256
#endif
#endif

#define gasnett_mmap(size) gasnetti_mmap(size)
#define gasnett_malloc_aligned(alignment, bytes) gasnetti_malloc_aligned(alignment, bytes)
#define gasnett_free_aligned(p) gasnetti_free_aligned(p)

GASNETT_BEGIN_EXTERNC

/* Zeroed memory that starts at a page; fatal when there is none. Freed by munmap(). */
GASNETI_API void *gasnetti_mmap(uintptr_t size);
/* Memory at a multiple of `alignment`, a power of two; fatal when there is none. */
GASNETI_API void *gasnetti_malloc_aligned(size_t alignment, size_t bytes);
GASNETI_API void gasnetti_free_aligned(void *p);

/* The arguments of gasnet_vis.h's calls as text for messages, in buffers of _bufsz() bytes. Long lists are
 * cut. */
typedef struct gasneti_memveclist_stats_s {
    size_t minsz, maxsz, totalsz; /* bytes; pieces of 0 do not count */
    void *minaddr, *maxaddr;      /* first and last byte */
} gasneti_memveclist_stats_t;
typedef struct gasneti_addrlist_stats_s {
    void *minaddr, *maxaddr;
} gasneti_addrlist_stats_t;
extern GASNETI_API size_t gasnett_format_memveclist_bufsz(size_t count);
extern GASNETI_API gasneti_memveclist_stats_t gasnett_format_memveclist(char *buf, size_t count,
                                                                        gasnet_memvec_t const *list);
extern GASNETI_API size_t gasnett_format_addrlist_bufsz(size_t count);
extern GASNETI_API gasneti_addrlist_stats_t gasnett_format_addrlist(char *buf, size_t count,
                                                                    void *const *list, size_t len);
extern GASNETI_API size_t gasnett_format_strides_bufsz(size_t count);
extern GASNETI_API void gasnett_format_strides(char *buf, size_t count, const size_t *list);
/* These return the bytes of the copy. */
extern GASNETI_API size_t gasnett_format_putvgetv_bufsz(size_t dstcount, size_t srccount);
extern GASNETI_API size_t gasnett_format_putvgetv(char *buf, gasnet_node_t node, size_t dstcount,
                                                  gasnet_memvec_t const dstlist[], size_t srccount,
                                                  gasnet_memvec_t const srclist[]);
extern GASNETI_API size_t gasnett_format_putigeti_bufsz(size_t dstcount, size_t srccount);
extern GASNETI_API size_t gasnett_format_putigeti(char *buf, gasnet_node_t node, size_t dstcount,
                                                  void *const dstlist[], size_t dstlen, size_t srccount,
                                                  void *const srclist[], size_t srclen);
extern GASNETI_API size_t gasnett_format_putsgets_bufsz(size_t stridelevels);
extern GASNETI_API size_t gasnett_format_putsgets(char *buf, void *pstats, gasnet_node_t node, void *dstaddr,
                                                  const size_t dststrides[], void *srcaddr,
                                                  const size_t srcstrides[], const size_t count[],
                                                  size_t stridelevels);

/* The library has no tests of its own in it: 0, and an empty table. */
extern GASNETI_API int gasnett_run_diagnostics(int iters, int threads, const char *sections,
                                               gasnet_seginfo_t const *seginfo);
extern GASNETI_API void gasnett_diagnostic_gethandlers(gasnet_handlerentry_t **table, int *count);

GASNETT_END_EXTERNC
#endif
