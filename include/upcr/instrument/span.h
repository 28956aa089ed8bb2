/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the other headers of this folder: the position of a call, and the events around it.
 *
 * A call f(x) of an instrumented file becomes upcri_inst_f(UPCRI_INST_HERE, x): an in-line function that
 * calls (f)(x) between two events. The name in parentheses is the function, no macro.
 */
#pragma once
#include "gasp_upc.h"
#include "pupc.h"
#include "upcr/callsites.h" /* first: the macros of the other headers replace those of debug builds */
#include "upcr/idents.h"
#include "upcr/layout.h"
#include "upcr/sptr.h"

#ifndef UPCR_GASP_LOCAL
#define UPCR_GASP_LOCAL 0
#endif
#ifndef UPCR_GASP_FUNCTIONS
#define UPCR_GASP_FUNCTIONS 0
#endif
#undef UPCR_PRAGMA_PUPC
#define UPCR_PRAGMA_PUPC 1

UPCRI_BEGIN_C

/* The position of a call, and the context that its events go to: null for none. */
struct upcri_inst {
    gasp_context_t to;
    const char *file;
    int line;
};
UPCRI_STATIC struct upcri_inst upcri_inst_at(int on, const char *file, int line) {
    struct upcri_inst at;
    at.to = on ? UPCRI_GASP_CONTEXT() : (gasp_context_t)0;
    at.file = file;
    at.line = line;
#if UPCR_DEBUG && !defined(UPCR_NO_SRCPOS)
    upcri_set_srcpos(file, line);
#endif
    return at;
}
#define UPCRI_INST_HERE upcri_inst_at(UPCR_PRAGMA_PUPC, __FILE__, __LINE__)

/* One event. */
#define UPCRI_EVENT(tag, type, ...) \
    (at.to ? UPCRI_GASP_NOTIFY(at.to, tag, type, at.file, at.line, 0, __VA_ARGS__) : (void)0)
/* Start and end of a statement; both events have the same arguments. */
#define UPCRI_SPAN(tag, statement, ...)            \
    do {                                           \
        UPCRI_EVENT(tag, GASP_START, __VA_ARGS__); \
        statement;                                 \
        UPCRI_EVENT(tag, GASP_END, __VA_ARGS__);   \
    } while (0)
/* The same; the end has the result behind the other arguments. */
#define UPCRI_SPAN_RESULT(tag, statement, result, ...)   \
    do {                                                 \
        UPCRI_EVENT(tag, GASP_START, __VA_ARGS__);       \
        statement;                                       \
        UPCRI_EVENT(tag, GASP_END, __VA_ARGS__, result); \
    } while (0)

/* The events of an access to the memory of one UPC thread. Statistics have functions of their own for them. */
#if defined(UPCR_STATS) && UPCR_STATS
#define UPCRI_ACCESS_START(kind, pointer, nbytes, to, ...) \
    upcri_stats_access(to, UPCRI_STATS_##kind, at.file, at.line, upcr_threadof_shared(pointer), nbytes)
#define UPCRI_ACCESS_END(to, ...) upcri_stats_end(to)
#else
#define UPCRI_ACCESS_START(kind, pointer, nbytes, ...) UPCRI_GASP_NOTIFY(__VA_ARGS__)
#define UPCRI_ACCESS_END(...) UPCRI_GASP_NOTIFY(__VA_ARGS__)
#endif

/* The object that an access through p with a byte offset is to. */
UPCRI_STATIC upcr_shared_ptr_t upcri_inst_add(upcr_shared_ptr_t p, ptrdiff_t offset) {
    return upcri_make_shared(upcr_addrfield_shared(p) + (uintptr_t)offset, upcr_threadof_shared(p),
                             upcr_phaseof_shared(p));
}
/* `at`, without a context for accesses that are not reported: to the calling thread's own memory. */
UPCRI_STATIC struct upcri_inst upcri_inst_access(struct upcri_inst at, upcr_shared_ptr_t p) {
    if (!UPCR_GASP_LOCAL && upcr_threadof_shared(p) == upcr_mythread()) at.to = (gasp_context_t)0;
    return at;
}

UPCRI_END_C
