/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: fatal errors, backtraces, and waiting for a debugger. Any thread.
 *
 * GASNET_BACKTRACE=yes adds a backtrace to fatal errors; GASNET_BACKTRACE_TYPE is a list, separated by
 * commas, of the ways to make one, tried in order:
 *   EXECINFO   the library's own: function, file and address of each frame of the calling thread
 *   GDB        all threads, by gdb, where it is installed
 *   the name of gasnett_backtrace_user, where the program defines it
 * By default the program's own comes first, then EXECINFO.
 * GASNET_FREEZE_ON_ERROR=yes waits for a debugger in fatal errors.
 */
#pragma once
#include "gasnet/tools/attributes.h"

GASNETT_BEGIN_EXTERNC

/* Writes "*** FATAL ERROR: " and the message to stderr, waits for a debugger and writes a backtrace where
 * that is asked for, and aborts. */
GASNETI_API GASNETT_NORETURN GASNETT_FORMAT_PRINTF(gasnett_fatalerror, 1, 2,
                                                   void gasnett_fatalerror(const char *format, ...));

/* "function at file:line" of the place where it stands, for free(). */
#define gasnett_current_loc (gasnetti_make_loc(GASNETT_CURRENT_FUNCTION, __FILE__, __LINE__))
GASNETI_API GASNETT_MALLOC char *gasnetti_make_loc(const char *function, const char *file, int line);

/* Sets the name of the program (argv[0]) and reads GASNET_BACKTRACE_TYPE. Any number of times;
 * gasnet_init() does it too. */
GASNETI_API void gasnett_backtrace_init(const char *exename);
/* Writes a backtrace of the calling thread to fd, whatever GASNET_BACKTRACE is. 0: done. Non-zero: none of
 * the ways worked, or gasnett_backtrace_init() was not called. */
GASNETI_API int gasnett_print_backtrace(int fd);
/* The same with GASNET_BACKTRACE=yes, otherwise nothing (1). Called by fatal errors. */
extern GASNETI_API int (*gasnett_print_backtrace_ifenabled)(int fd);

typedef struct {
    const char *name;   /* in GASNET_BACKTRACE_TYPE */
    int (*fnp)(int fd); /* writes to fd, returns 0 when that worked */
    int threadsupport;  /* non-zero: also in a process with several threads */
} gasnett_backtrace_type_t;
/* A program may define it: a way of its own. */
extern GASNETI_API gasnett_backtrace_type_t gasnett_backtrace_user;

/* Prints on stderr how to attach a debugger, sets *flag and waits until the debugger clears it, or for
 * SIGCONT. `name`: the flag's name in the debugger. */
GASNETI_API void gasnett_freezeForDebuggerNow(volatile int *flag, const char *name);
/* The same with gasnet_frozen, when GASNET_FREEZE_ON_ERROR asks for it. */
GASNETI_API void gasnett_freezeForDebuggerErr(void);
extern GASNETI_API volatile int gasnet_frozen;

GASNETT_END_EXTERNC
