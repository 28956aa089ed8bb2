/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: the machine and this process. Any thread, any time, unless stated otherwise.
 */
#pragma once
#include "gasnet/tools/attributes.h"

GASNETT_BEGIN_EXTERNC

/* Gives the CPU to another thread or process that is ready. */
GASNETI_API void gasnett_sched_yield(void);
/* CPUs of this host that are online; 0: not known. */
GASNETI_API int gasnett_cpu_count(void);
/* Binds the calling thread to CPU number `rank` modulo the count of those that it may use. A hint: nothing is
 * said when the system refuses. */
GASNETI_API void gasnett_set_affinity(int rank);
/* The host's name; valid as long as the process, never NULL. */
GASNETI_API const char *gasnett_gethostname(void);
/* Memory of the host in bytes; when it is not known, 0, or fatal if failureIsFatal. */
GASNETI_API uint64_t gasnett_getPhysMemSz(int failureIsFatal);

/* Raise the soft limits of the process (setrlimit), or the one called `res`, to the hard ones. The variable
 * GASNET_MAXIMIZE_<name of the limit>=no leaves one as it is. `desc`: that name, such as "RLIMIT_CPU".
 * Non-zero: done. Not while other threads do the same. */
GASNETI_API int gasnett_maximize_rlimits(void);
GASNETI_API int gasnett_maximize_rlimit(int res, const char *desc);

/* Write out what stdio holds, and what the system holds of stdout and stderr with GASNET_FS_SYNC; close
 * stdin, stdout and stderr. Failures are ignored. */
GASNETI_API void gasnett_flush_streams(void);
GASNETI_API void gasnett_close_streams(void);
/* Ends this process at once with the exit status code & 0xff: all its threads, no exit handlers, no flush. */
GASNETI_API GASNETT_NORETURN void gasnett_killmyprocess(int code);

/* As signal(): installs fp (SIG_DFL and SIG_IGN too) and returns what was there. Fatal when sig is no signal
 * that can be caught. */
typedef void (*gasnett_sighandlerfn_t)(int);
GASNETI_API gasnett_sighandlerfn_t gasnett_reghandler(int sig, gasnett_sighandlerfn_t fp);

GASNETT_CONST GASNETT_PLEASE_INLINE(gasnett_isLittleEndian)
int gasnett_isLittleEndian(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }

/* The reasons why this build is slow, one a line ("    debugging\n"); empty when there are none. */
GASNETT_PLEASE_INLINE(gasnett_performance_warning_str) const char *gasnett_performance_warning_str(void) {
#ifdef GASNET_DEBUG
    return "    debugging: GASNET_DEBUG is defined, every call is checked\n";
#else
    return "";
#endif
}

GASNETT_END_EXTERNC
