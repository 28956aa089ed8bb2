/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: threads or none, versions, and what this build is in strings. With gasnet.h its mode decides;
 * without it threads are wanted when GASNETT_THREAD_SAFE, _REENTRANT or _THREAD_SAFE is defined (cc -pthread
 * does that) or pthread.h has been included.
 */
#pragma once
#include "gasnet/tools/attributes.h"

#if defined(GASNET_SEQ)
#undef GASNETT_THREAD_SAFE
#elif defined(GASNET_PAR) || defined(GASNET_PARSYNC) || defined(GASNETT_THREAD_SAFE) || \
    defined(_REENTRANT) || defined(_THREAD_SAFE) || defined(PTHREAD_MUTEX_INITIALIZER)
#undef GASNETT_THREAD_SAFE
#define GASNETT_THREAD_SAFE 1
#endif

#define GASNETT_SPEC_VERSION_MAJOR 1
#define GASNETT_SPEC_VERSION_MINOR 9
#define GASNETT_RELEASE_VERSION_MAJOR 1
#define GASNETT_RELEASE_VERSION_MINOR 28
#define GASNETT_RELEASE_VERSION_PATCH 0

#if defined(GASNETT_LITE_MODE)
#define GASNETTI_THREAD_MODEL "LITE"
#elif defined(GASNETT_THREAD_SAFE)
#define GASNETTI_THREAD_MODEL "PAR"
#else
#define GASNETTI_THREAD_MODEL "SEQ"
#endif
#ifdef GASNET_DEBUG
#define GASNETTI_CONFIG_DEBUG "debug"
#else
#define GASNETTI_CONFIG_DEBUG "nodebug"
#endif
#ifdef PLATFORM_ARCH_64
#define GASNETTI_CONFIG_PTR "64bit"
#else
#define GASNETTI_CONFIG_PTR "32bit"
#endif

#define GASNETT_CONFIG_STRING                                                                                                                                             \
    "RELEASE=" _STRINGIFY(GASNETT_RELEASE_VERSION_MAJOR) "." _STRINGIFY(GASNETT_RELEASE_VERSION_MINOR) "." _STRINGIFY(GASNETT_RELEASE_VERSION_PATCH) ",SPEC=" _STRINGIFY( \
        GASNETT_SPEC_VERSION_MAJOR) "." _STRINGIFY(GASNETT_SPEC_VERSION_MINOR) ",PTR=" GASNETTI_CONFIG_PTR                                                                \
                                                                               "," GASNETTI_CONFIG_DEBUG                                                                  \
                                                                               "," GASNETTI_THREAD_MODEL                                                                  \
                                                                               ",timers_native,membars_native,atomics_native,atomic32_native,atomic64_native"

#if defined(__x86_64__)
#define GASNETTI_ARCH "x86_64"
#elif defined(__i386__)
#define GASNETTI_ARCH "i686"
#elif defined(__aarch64__)
#define GASNETTI_ARCH "aarch64"
#elif defined(__powerpc64__) && defined(PLATFORM_ARCH_LITTLE_ENDIAN)
#define GASNETTI_ARCH "powerpc64le"
#else
#define GASNETTI_ARCH _STRINGIFY(PLATFORM_ARCH_FAMILYNAME)
#endif
#define GASNETT_SYSTEM_TUPLE GASNETTI_ARCH "-unknown-linux-gnu"

/* In the executable, one copy each: what launchers and `strings` look for. */
#ifndef GASNETT_LITE_MODE
GASNETT_BEGIN_EXTERNC
#define GASNETTI_TOOLS_IDENT(name, text)                \
    extern const char name[] __attribute__((__weak__)); \
    const char name[] UPCRI_KEPT = text
GASNETTI_TOOLS_IDENT(gasnetti_ident_threads, "$GASNetToolsThreadModel: " GASNETTI_THREAD_MODEL " $");
GASNETTI_TOOLS_IDENT(gasnetti_ident_config,
                     "$GASNetToolsConfig: (libgasnet_tools.a) " GASNETT_CONFIG_STRING " $");
GASNETTI_TOOLS_IDENT(gasnetti_ident_system, "$GASNetSystemTuple: " GASNETT_SYSTEM_TUPLE " $");
GASNETT_END_EXTERNC
#endif
