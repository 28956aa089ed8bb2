/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types and codes of the GASNet core interface (GASNet specification 1.8, 2.2 and 2.3).
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "gasnet/platform.h"

typedef uint32_t gasnet_node_t;      /* a process of the job: 0 .. gasnet_nodes() - 1 */
typedef uint8_t gasnet_handler_t;    /* index of an active-message handler; 128 .. 255 are the client's */
typedef int32_t gasnet_handlerarg_t; /* argument of a handler */
typedef void *gasnet_token_t;        /* the message that a handler serves; valid while it runs */

/* An entry of gasnet_attach()'s table: an index of 128 .. 255, or 0 for any, and the handler. With
 * GASNET_USE_STRICT_PROTOTYPES `fnptr` is `void *`. So it is in C23, where `void (*)()` takes no handler without
 * a cast. */
#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L && \
    !defined(GASNET_USE_STRICT_PROTOTYPES)
#define GASNET_USE_STRICT_PROTOTYPES 1
#endif
#ifdef GASNET_USE_STRICT_PROTOTYPES
#undef GASNET_USE_STRICT_PROTOTYPES
#define GASNET_USE_STRICT_PROTOTYPES 1
typedef void *gasneti_handlerfn_t;
#else
typedef void (*gasneti_handlerfn_t)();
#endif
typedef struct gasneti_handlerentry_s {
    gasnet_handler_t index;
    gasneti_handlerfn_t fnptr;
} gasnet_handlerentry_t;

#ifndef UPCRI_GASNET_SEGINFO_T /* upcr.h has it too */
#define UPCRI_GASNET_SEGINFO_T
/* Shared memory of one node: its address there, and bytes (a page multiple). */
typedef struct gasnet_seginfo_t {
    void *addr;
    uintptr_t size;
} gasnet_seginfo_t;
#endif

/* Where a node is: equal hosts are one machine, equal supernodes share memory; both count from 0. An address
 * in the segment of a node of my supernode, plus its `offset`, is usable here. */
typedef struct gasneti_nodeinfo_s {
    gasnet_node_t host;
    gasnet_node_t supernode;
    uintptr_t offset;
} gasnet_nodeinfo_t;

typedef void *gasnet_threadinfo_t;
typedef uintptr_t gasnet_register_value_t; /* what fits a register */
#ifdef PLATFORM_ARCH_64
#define SIZEOF_GASNET_REGISTER_VALUE_T 8
#else
#define SIZEOF_GASNET_REGISTER_VALUE_T 4
#endif

/* Results of functions. */
#define GASNET_OK 0
#define GASNET_ERR_NOT_INIT 10001
#define GASNET_ERR_RESOURCE 10002
#define GASNET_ERR_BAD_ARG 10003
#define GASNET_ERR_NOT_READY 10004
#define GASNET_ERR_BARRIER_MISMATCH 10005

/* How threads wait (gasnet_set_waitmode). */
#define GASNET_WAIT_SPIN 0
#define GASNET_WAIT_BLOCK 1
#define GASNET_WAIT_SPINBLOCK 2
