/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of a UPC program for a measurement tool (GASP specification 1.5, <pupc.h>). In a file that is
 * compiled with `upcc --inst` these calls reach the tool that is linked (gasp.h); in any other they do
 * nothing and return 0. UPC threads, not in an AM handler; they wait only for the tool.
 */
#pragma once
#include "upcr/base.h"

#if defined(UPCR_GASP) && UPCR_GASP
#include "gasp.h"
#include "upcr/types.h"

UPCRI_BEGIN_C
#if defined(UPCR_STATS) && UPCR_STATS
/* Files that `upcc --stats` compiles: events go to the library's own statistics. The same functions for them;
 * the context is null too when the job counts nothing. */
UPCRI_API unsigned int upcri_stats_create_event(const char *name, const char *desc);
UPCRI_API int upcri_stats_control(int on);
UPCRI_API gasp_context_t upcri_stats_context(void);
UPCRI_API void upcri_stats_notify(gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, ...);
/* The same as the start and the end of an access to one UPC thread's memory, of a kind; quicker. */
#define UPCRI_STATS_GET 0u
#define UPCRI_STATS_PUT 1u
#define UPCRI_STATS_NB_GET 6u
#define UPCRI_STATS_NB_PUT 7u
#define UPCRI_STATS_ATOMIC 12u
UPCRI_API void upcri_stats_access(gasp_context_t, unsigned int kind, const char *, int, upcr_thread_t,
                                  size_t nbytes);
UPCRI_API void upcri_stats_end(gasp_context_t);
/* Tags of operations for which GASP has no event: PTS *, size_t nbytes; PTS *, int c, size_t nbytes. */
#define UPCR_STATS_ATOMIC 2000
#define UPCR_STATS_NB_SET 2001
#define UPCRI_TO_TOOL(function, stats_function) stats_function
#else
UPCRI_API unsigned int upcri_pupc_create_event(const char *name, const char *desc);
UPCRI_API int upcri_pupc_control(int on);
/* The calling thread's context, made at its first use; null while it is switched off. Fatal without a tool.
 * */
UPCRI_API gasp_context_t upcri_gasp_context(void);
extern void gasp_event_notify(gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, ...)
    __attribute__((weak));
#define UPCRI_TO_TOOL(function, stats_function) function
#endif
#define UPCRI_GASP_CONTEXT UPCRI_TO_TOOL(upcri_gasp_context, upcri_stats_context)
#define UPCRI_GASP_NOTIFY UPCRI_TO_TOOL(gasp_event_notify, upcri_stats_notify)

/* A tag for an event with this name; desc: its arguments as a printf format, or null. Not collective. */
UPCRI_STATIC unsigned int pupc_create_event(const char *name, const char *desc) {
    return UPCRI_TO_TOOL(upcri_pupc_create_event, upcri_stats_create_event)(name, desc);
}
/* Switches this thread's events on (not 0) or off; returns the previous state. */
UPCRI_STATIC int pupc_control(int on) { return UPCRI_TO_TOOL(upcri_pupc_control, upcri_stats_control)(on); }
UPCRI_END_C

/*
 * void pupc_event_start(unsigned int tag, ...): start, end, or an event without duration. The other arguments
 * are for the tool. Expressions, as they are without --inst; the arguments are evaluated whether events are
 * on or off.
 */
typedef void (*upcri_gasp_notify_t)(gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int,
                                    ...);
static void upcri_gasp_discard(gasp_context_t context, unsigned int tag, gasp_evttype_t type,
                               const char *file, int line, int col, ...) __attribute__((unused));
static void upcri_gasp_discard(gasp_context_t context, unsigned int tag, gasp_evttype_t type,
                               const char *file, int line, int col, ...) {
    (void)context, (void)tag, (void)type, (void)file, (void)line, (void)col;
}
UPCRI_STATIC gasp_context_t upcri_pupc_context(int wanted) {
    return wanted ? UPCRI_GASP_CONTEXT() : (gasp_context_t)0;
}
#define UPCRI_PUPC_EVENT(type, file, line, col, tag, ...)                                                 \
    (upcri_pupc_context(UPCR_PRAGMA_PUPC) ? (upcri_gasp_notify_t)UPCRI_GASP_NOTIFY : upcri_gasp_discard)( \
        upcri_pupc_context(UPCR_PRAGMA_PUPC), tag, type, file, line, col, __VA_ARGS__)
#define pupc_event_start(...) UPCRI_PUPC_EVENT(GASP_START, __FILE__, __LINE__, 0, __VA_ARGS__, 0)
#define pupc_event_end(...) UPCRI_PUPC_EVENT(GASP_END, __FILE__, __LINE__, 0, __VA_ARGS__, 0)
#define pupc_event_atomic(...) UPCRI_PUPC_EVENT(GASP_ATOMIC, __FILE__, __LINE__, 0, __VA_ARGS__, 0)
/* The same with another source position: pupc_event_startg(tag, file, line, column, ...). */
#define UPCRI_PUPC_EVENTG(type, tag, file, line, ...) UPCRI_PUPC_EVENTC(type, tag, file, line, __VA_ARGS__)
#define UPCRI_PUPC_EVENTC(type, tag, file, line, col, ...) \
    UPCRI_PUPC_EVENT(type, file, line, col, tag, __VA_ARGS__)
#define pupc_event_startg(...) UPCRI_PUPC_EVENTG(GASP_START, __VA_ARGS__, 0)
#define pupc_event_endg(...) UPCRI_PUPC_EVENTG(GASP_END, __VA_ARGS__, 0)
#define pupc_event_atomicg(...) UPCRI_PUPC_EVENTG(GASP_ATOMIC, __VA_ARGS__, 0)

#else

UPCRI_BEGIN_C
UPCRI_STATIC unsigned int pupc_create_event(const char *name, const char *desc) {
    return (void)name, (void)desc, 0;
}
UPCRI_STATIC int pupc_control(int on) { return (void)on, 0; }
UPCRI_STATIC void pupc_event_start(unsigned int tag, ...) { (void)tag; }
UPCRI_STATIC void pupc_event_end(unsigned int tag, ...) { (void)tag; }
UPCRI_STATIC void pupc_event_atomic(unsigned int tag, ...) { (void)tag; }
UPCRI_STATIC void pupc_event_startg(unsigned int tag, const char *file, int line, int col, ...) {
    (void)tag, (void)file, (void)line, (void)col;
}
UPCRI_STATIC void pupc_event_endg(unsigned int tag, const char *file, int line, int col, ...) {
    (void)tag, (void)file, (void)line, (void)col;
}
UPCRI_STATIC void pupc_event_atomicg(unsigned int tag, const char *file, int line, int col, ...) {
    (void)tag, (void)file, (void)line, (void)col;
}
UPCRI_END_C
#endif
