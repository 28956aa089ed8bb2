/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The modes that a client of gasnet.h was compiled for, and the constants and strings that describe them
 * (GASNet specification 1.8, 2). Preprocessor only; everything here may stand in #if or be joined with other
 * literals.
 *
 *   GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR          which threads call: exactly one, from the client
 *   GASNET_SEGMENT_FAST, _LARGE or _EVERYTHING        the memory of a node that is shared: at most one;
 *                                                     default FAST
 *   GASNET_DEBUG                                      compiled for and linked with libgasnet_debug
 *   GASNET_CONDUIT_SMP, _MPI or _IBV                  the network if UPCR_CONDUIT is not set; default SMP
 *
 * Each is 1 or undefined afterwards. All objects of a program must agree in all of them.
 */
#pragma once
#include "gasnet/platform.h"
#include "gasnet_config.h"
#include "upcr/config.h"

#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#error "define exactly one of GASNET_SEQ, GASNET_PARSYNC and GASNET_PAR before gasnet.h is included"
#endif
#if defined(GASNET_SEQ)
#undef GASNET_SEQ
#define GASNET_SEQ 1
#define GASNETI_THREADMODEL SEQ
#define GASNETT_MAX_THREADS 1
#elif defined(GASNET_PARSYNC)
#undef GASNET_PARSYNC
#define GASNET_PARSYNC 1
#define GASNETI_THREADMODEL PARSYNC
#define GASNETT_MAX_THREADS 256
#else
#undef GASNET_PAR
#define GASNET_PAR 1
#define GASNETI_THREADMODEL PAR
#define GASNETT_MAX_THREADS 256
#endif

#if defined(GASNET_SEGMENT_FAST) + defined(GASNET_SEGMENT_LARGE) + defined(GASNET_SEGMENT_EVERYTHING) > 1
#error "define at most one of GASNET_SEGMENT_FAST, GASNET_SEGMENT_LARGE and GASNET_SEGMENT_EVERYTHING"
#endif
#if defined(GASNET_SEGMENT_LARGE)
#undef GASNET_SEGMENT_LARGE
#define GASNET_SEGMENT_LARGE 1
#define GASNETI_SEGMENT LARGE
#elif defined(GASNET_SEGMENT_EVERYTHING)
#undef GASNET_SEGMENT_EVERYTHING
#define GASNET_SEGMENT_EVERYTHING 1
#define GASNETI_SEGMENT EVERYTHING
#else
#undef GASNET_SEGMENT_FAST
#define GASNET_SEGMENT_FAST 1
#define GASNETI_SEGMENT FAST
#endif

#if defined(GASNET_DEBUG) && defined(GASNET_NDEBUG)
#error "define at most one of GASNET_DEBUG and GASNET_NDEBUG"
#endif
#ifdef GASNET_DEBUG
#undef GASNET_DEBUG
#define GASNET_DEBUG 1
#define GASNETI_DEBUG_NAME debug
#else
#undef GASNET_NDEBUG
#define GASNET_NDEBUG 1
#define GASNETI_DEBUG_NAME nodebug
#endif

/* The network. One library serves all of them; these are names only. */
#if defined(GASNET_CONDUIT_MPI)
#undef GASNET_CONDUIT_MPI
#define GASNET_CONDUIT_MPI 1
#define GASNET_CONDUIT_NAME MPI
#define GASNETI_CONDUIT_DEFAULT "mpi"
#elif defined(GASNET_CONDUIT_IBV)
#undef GASNET_CONDUIT_IBV
#define GASNET_CONDUIT_IBV 1
#define GASNET_CONDUIT_NAME IBV
#define GASNETI_CONDUIT_DEFAULT "ibv"
#else
#undef GASNET_CONDUIT_SMP
#define GASNET_CONDUIT_SMP 1
#define GASNET_CONDUIT_NAME SMP
#define GASNETI_CONDUIT_DEFAULT "smp"
#endif
#define GASNET_CORE_NAME GASNET_CONDUIT_NAME
#define GASNET_CORE_VERSION 1.0
#define GASNET_EXTENDED_NAME UPCR
#define GASNET_EXTENDED_VERSION 1.0
#define GASNET_CONDUIT_NAME_STR _STRINGIFY(GASNET_CONDUIT_NAME)
#define GASNET_CORE_NAME_STR _STRINGIFY(GASNET_CORE_NAME)
#define GASNET_CORE_VERSION_STR _STRINGIFY(GASNET_CORE_VERSION)
#define GASNET_EXTENDED_NAME_STR _STRINGIFY(GASNET_EXTENDED_NAME)
#define GASNET_EXTENDED_VERSION_STR _STRINGIFY(GASNET_EXTENDED_VERSION)

/* Segments of nodes may have any address; memory of the host's nodes is shared; gasnet_init(NULL, NULL)
 * works. */
#define GASNET_ALIGNED_SEGMENTS 0
#define GASNET_PSHM 1
#define GASNET_NULL_ARGV_OK 1
#define GASNET_MAXNODES 0x7FFFFFFF
#define GASNET_PAGESIZE GASNETT_PAGESIZE

#ifdef PLATFORM_ARCH_64
#define GASNETI_PTR_NAME 64bit
#else
#define GASNETI_PTR_NAME 32bit
#endif
#undef GASNET_CONFIG_STRING /* upcr.h has one too */
#define GASNET_CONFIG_STRING \
    "RELEASE=" _STRINGIFY(GASNET_RELEASE_VERSION_MAJOR) "." _STRINGIFY(GASNET_RELEASE_VERSION_MINOR) "." \
    _STRINGIFY(GASNET_RELEASE_VERSION_PATCH) ",SPEC=" _STRINGIFY(GASNET_SPEC_VERSION_MAJOR) "."          \
    _STRINGIFY(GASNET_SPEC_VERSION_MINOR) ",CONDUIT=" GASNET_CONDUIT_NAME_STR "(" GASNET_CORE_NAME_STR   \
    "-" GASNET_CORE_VERSION_STR "/" GASNET_EXTENDED_NAME_STR "-" GASNET_EXTENDED_VERSION_STR             \
    "),THREADMODEL=" _STRINGIFY(GASNETI_THREADMODEL) ",SEGMENT=" _STRINGIFY(GASNETI_SEGMENT)             \
    ",PTR=" _STRINGIFY(GASNETI_PTR_NAME) ",noalign,pshm," _STRINGIFY(GASNETI_DEBUG_NAME)                 \
    ",notrace,nostats,nodebugmalloc,nosrclines,timers_native,membars_native,atomics_native,"             \
    "atomic32_native,atomic64_native"

/* The modes in which all objects of a program must agree: "SEQ/FAST/nodebug/". */
#define GASNETI_UNIT_STRING \
    _STRINGIFY(GASNETI_THREADMODEL) "/" _STRINGIFY(GASNETI_SEGMENT) "/" _STRINGIFY(GASNETI_DEBUG_NAME) "/"
