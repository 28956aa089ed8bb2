/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants for the preprocessor, string literals, attributes in all their places, and macros
 * that stand in expressions. Compiled in every language and mode; never run for long. */
#include <gasnet_tools.h>
#include <gasnet_tools.h>

#include "check.h"

#ifdef _GASNET_H
#error _GASNET_H belongs to gasnet.h
#endif
#if (1048576ULL % GASNETT_PAGESIZE) != 0 || (1 << GASNETT_PAGESHIFT) != GASNETT_PAGESIZE
#error page size
#endif
#if GASNETT_CACHE_LINE_BYTES & (GASNETT_CACHE_LINE_BYTES - 1) || GASNETT_CACHE_LINE_BYTES < 32
#error cache line
#endif
#if GASNETT_SPEC_VERSION_MAJOR != 1 || GASNETT_SPEC_VERSION_MINOR < 9 ||       \
    GASNETT_RELEASE_VERSION_MAJOR <= 0 || GASNETT_RELEASE_VERSION_MINOR < 0 || \
    GASNETT_RELEASE_VERSION_PATCH < 0
#error versions
#endif
#if GASNETT_ATOMIC_MB_PRE != (GASNETT_ATOMIC_RMB_PRE | GASNETT_ATOMIC_WMB_PRE) ||                       \
    GASNETT_ATOMIC_NONE != 0 || GASNETT_ATOMIC_REL != 2 || GASNETT_ATOMIC_ACQ != 4 ||                   \
    GASNETT_ATOMIC_WMB_POST != 8 || GASNETT_ATOMIC_MB_POST != 12 || GASNETT_ATOMIC_ACQ_IF_TRUE != 16 || \
    GASNETT_ATOMIC_ACQ_IF_FALSE != 32
#error fence flags
#endif
#if !GASNETT_HAVE_ATOMIC_CAS || !GASNETT_HAVE_ATOMIC_ADD_SUB || !GASNETT_HAVE_STRONGATOMIC_CAS || \
    !GASNETT_HAVE_STRONGATOMIC_ADD_SUB
#error atomics
#endif
#if defined(GASNETT_CONFIGURE_MISMATCH) || defined(GASNETT_USING_GETTIMEOFDAY) || \
    defined(GASNETT_USING_GENERIC_ATOMICOPS) || defined(GASNETT_MAX_THREADS) || defined(GASNET_DEBUGMALLOC)
#error a name that must not be defined is
#endif
#if !defined(HAVE_PTHREAD_H) || GASNETT_TRACE_ENABLED || \
    defined(PLATFORM_ARCH_32) == defined(PLATFORM_ARCH_64)
#error platform
#endif
#if WANT_THREADS != defined(GASNETT_THREAD_SAFE)
#error threads
#endif
#ifdef GASNETT_THREAD_SAFE
#if GASNETT_THREAD_SAFE != 1
#error GASNETT_THREAD_SAFE
#endif
#endif

GASNETT_IDENT(constants_ident, "$ConstantsTest: " GASNETT_SYSTEM_TUPLE " $");
static char config[] = "<" GASNETT_CONFIG_STRING ">" GASNETT_SYSTEM_TUPLE;
static char page[GASNETT_PAGESIZE];

GASNETT_BEGIN_EXTERNC
GASNETT_EXTERNC int declared_in_c(void);
GASNETT_END_EXTERNC
GASNETT_EXTERNC int declared_in_c(void) { return 3; }

GASNETT_INLINE(allocate) GASNETT_MALLOC void *allocate(size_t n) { return malloc(n); }
GASNETT_PLEASE_INLINE(twice) int twice(int x) { return 2 * x; }
GASNETT_NEVER_INLINE(thrice, static int thrice(int x)) { return 3 * x; }
GASNETT_NEVER_INLINE(thrice, static int thrice(int x));
GASNETT_NORETURN static void leave(void) { exit(0); }
static void leave2(void) GASNETT_NORETURN;
GASNETT_NORETURNP(leave2)
GASNETT_MALLOCP(allocate)
GASNETT_PUREP(thrice)
GASNETT_CONSTP(thrice)
static void leave2(void) { exit(1); }
GASNETT_FORMAT_PRINTF(format_one, 1, 2, static int format_one(const char *format, ...));
GASNETT_FORMAT_PRINTF(format_one, 1, 2, static int format_one(const char *format, ...)) { return format[0]; }
GASNETT_FORMAT_PRINTF_FUNCPTR(format_by, 1, 2, static int (*format_by)(const char *format, ...)) = format_one;
static int attributed(void) GASNETT_PURE;
GASNETT_COLD static int attributed(void) { return 7; }
static GASNETT_HOT int attributed_too(const int *GASNETT_RESTRICT a) GASNETT_WARN_UNUSED_RESULT;
static int attributed_too(const int *GASNETT_RESTRICT a) { return *a; }
GASNETT_CONST GASNETT_DEPRECATED static __inline__ int old(int x) { return x; }
GASNETT_UNUSED static int unused_number;
GASNETT_USED static int used_number;

static const char *name_of_me(void) { return GASNETT_CURRENT_FUNCTION; }

int main(int argc, char **argv) {
    int seven = 7;
    const char *file = "unset";
    unsigned int line = 5;
    char *location = gasnett_current_loc;
    void *memory = allocate(8);
    (void)argv;
    CHECK(strstr(location, "main") && strstr(location, " at ") && strstr(location, "constants.c:"));
    free(location);
    free(memory);
    CHECK(strcmp(name_of_me(), "name_of_me") == 0);
    CHECK(strstr(config, "SPEC=1.9") && strstr(config, "linux"));
    CHECK(sizeof page == GASNETT_PAGESIZE && page[0] == 0);
    CHECK(declared_in_c() == 3 && twice(4) == 8 && thrice(4) == 12 && format_one("%d", 1) == '%' &&
          format_by("x") == 'x');
    CHECK(attributed() == 7 && attributed_too(&seven) == 7);
    CHECK(GASNETT_PREDICT_TRUE(seven) && !GASNETT_PREDICT_FALSE(seven - 7));
    CHECK(gasnett_constant_p(3) == 1 || gasnett_constant_p(3) == 0);
    if_pf(seven == 8) CHECK(0);
    else seven++;
    CHECK(seven == 8);

    /* Void expressions. */
    seven ? GASNETT_TRACE_SETSOURCELINE("a", 1) : GASNETT_TRACE_SETSOURCELINE("b", 2);
    (GASNETT_TRACE_SETSOURCELINE("a", 1), GASNETT_TRACE_FREEZESOURCELINE(),
     GASNETT_TRACE_UNFREEZESOURCELINE());
    (GASNETT_TRACE_PRINTF("%d", 3), GASNETT_TRACE_PRINTF_FORCE("x"), gasnett_local_mb(), gasnett_weak_mb());
    (gasnett_local_wmb(), gasnett_local_rmb(), gasnett_weak_wmb(), gasnett_weak_rmb(),
     gasnett_compiler_fence());
    (gasnett_spinloop_hint(), gasnett_sched_yield());
    GASNETT_TRACE_GETSOURCELINE(&file, &line);
    GASNETT_TRACE_SETMASK("x");
    GASNETT_STATS_SETMASK("x");
    GASNETT_TRACE_SET_TRACELOCAL(1);
    CHECK(GASNETT_TRACE_GETMASK()[0] == 0 && GASNETT_STATS_GETMASK()[0] == 0);
    CHECK(GASNETT_TRACE_GET_TRACELOCAL() == 0 && GASNETT_STATS_INIT(main) == 0 && line == 5 &&
          file[0] == 'u');
    if (argc > 5) leave2();
    leave();
    return 2;
}
