/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The identification of an object file, what it was built with and for: the strings, and the macro that
 * embeds them. Translators write GASNETT_IDENT lines at the end of their output; upcc, `strings` and `what`
 * read them. Compile-time only; also used by programs that print the configuration they run on.
 */
#pragma once
#include "gasnet/ident.h" /* GASNETT_IDENT, _STRINGIFY, _CONCAT, the compiler */
#include "upcr/types.h"

/* The command that compiles translated C: upcc passes it. A literal here; tokens are as good, since
 * translated code only writes _STRINGIFY(UPCRI_CC). */
#ifndef UPCRI_CC
#define UPCRI_CC "cc"
#endif

#if UPCR_DEBUG
#define UPCRI_CONFIG_DEBUG "debug"
#else
#define UPCRI_CONFIG_DEBUG "nodebug"
#endif
#ifdef UPCRI_POINTER_packed
#define UPCRI_CONFIG_POINTER                                                                    \
    "packed/p" _STRINGIFY(UPCRI_PHASE_BITS) ":t" _STRINGIFY(UPCRI_THREAD_BITS) ":a" _STRINGIFY( \
        UPCRI_ADDR_BITS)
#else
#define UPCRI_CONFIG_POINTER "struct/p32:t32:a64"
#endif

/* The identity of this upcr in one literal: version, memory, pointer layout, checks. Two objects fit together
 * iff SHAREDPTRREP agrees. */
#define UPCR_CONFIG_STRING                                                                                   \
    "VERSION=" UPCR_VERSION ",PLATFORMENV=shared-distributed,SHMEM=memfd,SHAREDPTRREP=" UPCRI_CONFIG_POINTER \
    "," UPCRI_CONFIG_DEBUG ",nogasp,notv"

/* The same for the layer that moves bytes. One binary runs over any conduit, so none is named. */
#ifndef GASNET_CONFIG_STRING
#define GASNET_CONFIG_STRING                                                                 \
    "RELEASE=" UPCR_VERSION ",SPEC=1.8,CONDUIT=ANY(UPCR-" UPCR_VERSION "/UPCR-" UPCR_VERSION \
    "),THREADMODEL=PAR,SEGMENT=FAST,PTR=64bit,align,pshm," UPCRI_CONFIG_DEBUG ",notrace,nostats"
#endif

/* The thread model that this file is compiled for; follows UPCR_CONFIG_STRING in the identification. */
#ifdef __UPC_STATIC_THREADS__
#define UPCRI_THREADCONFIG_THREADS ",staticthreads"
#else
#define UPCRI_THREADCONFIG_THREADS ",dynamicthreads"
#endif
#ifdef UPCRI_USING_TLD
#define UPCRI_THREADCONFIG_STR UPCRI_THREADCONFIG_THREADS ",pthreads"
#else
#define UPCRI_THREADCONFIG_STR UPCRI_THREADCONFIG_THREADS ",process"
#endif

/* 1 between `#pragma pupc on` and `off` of the UPC source: upcc redefines it. Read by instrumentation only.
 * */
#define UPCR_PRAGMA_PUPC 0
