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

GASNETT_END_EXTERNC
#endif
