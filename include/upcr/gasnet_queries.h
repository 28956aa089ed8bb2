/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three GASNet-1 queries about shared memory that a UPC program may use (UPC Runtime specification 3.5,
 * "upcr_startup_attach"). A node is a process. A full gasnet.h may be included too.
 */
#pragma once
#include "upcr/base.h"

UPCRI_BEGIN_C

#ifndef UPCRI_GASNET_SEGINFO_T
#define UPCRI_GASNET_SEGINFO_T
/* Shared memory of one node: its address there, and bytes (a page multiple). */
typedef struct gasnet_seginfo_t {
    void *addr;
    uintptr_t size;
} gasnet_seginfo_t;
#endif

/* The largest shared memory that this node, or every node, can have: bytes, all UPC threads of the node
 * together. Not collective. After upcr_startup_init(), any thread. */
UPCRI_API uintptr_t gasnet_getMaxLocalSegmentSize(void);
UPCRI_API uintptr_t gasnet_getMaxGlobalSegmentSize(void);
/* Fills table[0 .. n - 1] by node number with what upcr_startup_attach() made; entries behind the last
 * node are unchanged. Returns 0 (GASNET_OK). After attach, any thread. The node's own address is usable here;
 * with several UPC threads per process it is a second mapping of their memory, one behind the other. */
UPCRI_API int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int n);

UPCRI_END_C
