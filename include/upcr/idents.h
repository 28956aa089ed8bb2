/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How an object file says what it was built with and for: the strings, and the macro that embeds them.
 * Translators write GASNETT_IDENT lines at the end of their output; upcc, `strings` and `what` read them.
 * Compile-time only; also used by programs that print the configuration they run on.
 */
#pragma once
#include "upcr/types.h"

/* The text of x after macro expansion; the two tokens joined after macro expansion. */
#define _STRINGIFY(x) _UPCRI_STRINGIFY(x)
#define _UPCRI_STRINGIFY(x) #x
#define _CONCAT(a, b) _UPCRI_CONCAT(a, b)
#define _UPCRI_CONCAT(a, b) a##b

/*
 * GASNETT_IDENT(name, text);
 *   At file scope: puts the string literal `text` into the object under `name`, once per file, whatever the
 *   optimiser thinks of it.
 */
#define GASNETT_IDENT(name, text) static const char name[] UPCRI_KEPT = text
#if defined(__has_attribute) && defined(__GNUC__) && !defined(__clang__)
#if __has_attribute(retain)
#define UPCRI_KEPT __attribute__((used, retain)) /* by the linker's --gc-sections too */
#endif
#endif
#ifndef UPCRI_KEPT
#define UPCRI_KEPT __attribute__((used))
#endif

/* The compiler at hand: one literal. There is no other compiler it could differ from (the library's headers
 * are configured for any), so GASNETT_CONFIGURE_MISMATCH is never defined. */
#ifdef __clang__
#define UPCRI_COMPILER_FAMILY "Clang"
#else
#define UPCRI_COMPILER_FAMILY "GNU"
#endif
#define PLATFORM_COMPILER_IDSTR "|COMPILER_FAMILY:" UPCRI_COMPILER_FAMILY "|COMPILER_VERSION:" __VERSION__ "|"
#define GASNETT_PLATFORM_COMPILER_IDSTR PLATFORM_COMPILER_IDSTR

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
#define UPCRI_CONFIG_POINTER                                                        \
    "packed/p" _STRINGIFY(UPCRI_PHASE_BITS) ":t" _STRINGIFY(UPCRI_THREAD_BITS)      \
        ":a" _STRINGIFY(UPCRI_ADDR_BITS)
#else
#define UPCRI_CONFIG_POINTER "struct/p32:t32:a64"
#endif

/* What this upcr is, in one literal: version, memory, pointer layout, checks. Two objects fit together iff
 * SHAREDPTRREP agrees. */
#define UPCR_CONFIG_STRING                                                                            \
    "VERSION=" UPCR_VERSION ",PLATFORMENV=shared-distributed,SHMEM=memfd,SHAREDPTRREP="               \
    UPCRI_CONFIG_POINTER "," UPCRI_CONFIG_DEBUG ",nogasp,notv"

/* The same for the layer that moves bytes. One binary runs over any conduit, so none is named. */
#ifndef GASNET_CONFIG_STRING
#define GASNET_CONFIG_STRING                                                                          \
    "RELEASE=" UPCR_VERSION ",SPEC=1.8,CONDUIT=ANY(UPCR-" UPCR_VERSION "/UPCR-" UPCR_VERSION          \
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

/* 1 between `#pragma pupc on` and `off` of the UPC source: upcc redefines it. Read by instrumentation only. */
#define UPCR_PRAGMA_PUPC 0
