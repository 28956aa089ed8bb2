/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled only, in C and C++: what must be usable in #if, joined with literals, or in static initialisers. */
#include <gasnet.h>
#ifndef _GASNET_H
#error
#endif
#if GASNET_PAGESIZE % 4096 != 0 || GASNETT_PAGESIZE != GASNET_PAGESIZE || \
    (1 << GASNETT_PAGESHIFT) != GASNETT_PAGESIZE
#error page
#endif
#if (65536ULL % GASNETT_PAGESIZE) != 0 || GASNETT_CACHE_LINE_BYTES < 32
#error sizes
#endif
#if GASNET_SEQ
#if GASNETT_MAX_THREADS != 1 || defined(GASNET_PAR) || defined(GASNET_PARSYNC)
#error SEQ
#endif
#elif GASNETT_MAX_THREADS < 2 || defined(GASNET_SEQ)
#error threads
#endif
#if SIZEOF_GASNET_REGISTER_VALUE_T != 8 && SIZEOF_GASNET_REGISTER_VALUE_T != 4
#error register
#endif
#if GASNET_ALIGNED_SEGMENTS != 0 && GASNET_ALIGNED_SEGMENTS != 1 || GASNET_PSHM != 1 || \
    GASNET_NULL_ARGV_OK != 1
#error properties
#endif
#if !GASNET_SEGMENT_FAST || defined(GASNET_SEGMENT_LARGE) || defined(GASNET_SEGMENT_EVERYTHING)
#error segment
#endif
#ifdef GASNET_DEBUG
#error debug
#endif
#if defined(GASNET_TRACE) || defined(GASNET_STATS) || defined(GASNET_DEBUGMALLOC) || \
    defined(GASNETT_CONFIGURE_MISMATCH) || defined(GASNETT_USING_GETTIMEOFDAY)
#error defined without need
#endif
#if GASNET_SPEC_VERSION_MAJOR != 1 || GASNET_SPEC_VERSION_MINOR != 8 || GASNET_VERSION != 1 || \
    GASNET_RELEASE_VERSION_MAJOR < 1 || GASNET_RELEASE_VERSION_MINOR < 0 || GASNET_RELEASE_VERSION_PATCH < 0
#error version
#endif
#if GASNET_BARRIERFLAG_ANONYMOUS != 1 || GASNET_BARRIERFLAG_MISMATCH != 2 ||              \
    GASNET_BARRIERFLAG_UNNAMED != 9 || GASNET_WAIT_SPIN != 0 || GASNET_WAIT_BLOCK != 1 || \
    GASNET_WAIT_SPINBLOCK != 2 || GASNET_OK != 0 || GASNET_MAXNODES < 1000
#error constants
#endif
#if GASNET_CORE_NAME == SOMETHING_ELSE && !GASNET_CONDUIT_SMP /* identifiers in #if are 0 */
#error names
#endif
#if defined(PLATFORM_ARCH_32) == defined(PLATFORM_ARCH_64) || !PLATFORM_OS_LINUX || !HAVE_PTHREAD_H || \
    !HAVE_MMAP
#error platform
#endif
#if PLATFORM_COMPILER_GNU + PLATFORM_COMPILER_CLANG + PLATFORM_COMPILER_INTEL + PLATFORM_COMPILER_PGI != \
        1 ||                                                                                             \
    !PLATFORM_COMPILER_VERSION_GE(3, 0, 0) || PLATFORM_COMPILER_VERSION_LT(3, 0, 0)
#error compiler
#endif

const char text[] = "a " GASNET_CONFIG_STRING GASNET_CONDUIT_NAME_STR GASNET_CORE_NAME_STR
    GASNET_CORE_VERSION_STR GASNET_EXTENDED_NAME_STR GASNET_EXTENDED_VERSION_STR PLATFORM_COMPILER_VERSION_STR
                    " z" _STRINGIFY(GASNET_CORE_NAME) _STRINGIFY(PLATFORM_COMPILER_FAMILYNAME);
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static char pages[2 * GASNET_PAGESIZE];
static gasnet_seginfo_t segment = {pages, sizeof pages};

int use(int argument);
int use(int argument) {
    GASNET_BEGIN_FUNCTION();
    gasnet_handler_t index = (gasnet_handler_t)argument;
    volatile gasnet_threadinfo_t info = GASNET_GET_THREADINFO();
    gasnet_handlerentry_t entry = {200, 0};
    {
        GASNET_BEGIN_FUNCTION();
        GASNET_POST_THREADINFO(info);
        int result = 0;
        if_pf(argument) result = MAX(1, argument);
        else if_pt(index) result = MIN(1, argument);
        GASNET_BLOCKUNTIL(argument != 0);
        gasnet_hold_interrupts();
        gasnet_resume_interrupts();
        gasnet_hsl_lock(&lock);
        gasnet_hsl_unlock(&lock);
        return result + entry.index + (segment.addr != NULL) + (int)strlen(text) + (info != NULL);
    }
}
