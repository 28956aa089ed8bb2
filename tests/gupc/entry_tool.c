/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A measurement tool that is linked with a compiled program hears of the g forms of accesses, barriers and
 * functions: two events a call, with place and arguments, pointers-to-shared as upcr has them. Of plain forms
 * it hears nothing.
 */
#include <stdarg.h>

#include "gasp_upc.h"
#include "tests/gupc/entry.h"
#include "upcr/sptr.h"

EMIT_PROGRAM_INFO;

SHARED(emit_di, cells, 2);
SHARED(emit_tf, wide, 1);

/* ---- The tool: of each thread the last event's pair, and how many ---- */

struct event {
    unsigned tag;
    const char *file;
    int line, first; /* first: relaxed, or named */
    long value;      /* size, or a barrier's name */
    upcr_thread_t thread;
    uint64_t offset;
    const char *name;
};
static EMIT_PER_THREAD struct event last[2]; /* start, end */
static EMIT_PER_THREAD unsigned events[2];

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    CHECK(model == GASP_MODEL_UPC);
    return (gasp_context_t)1;
}

static void note(struct event *e, const upcr_shared_ptr_t *p, size_t n)
{
    e->thread = upcr_threadof_shared(*p);
    e->offset = upcr_addrfield_shared(*p) - upcri_gupc_statics;
    e->value = (long)n;
}

void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
                       int column, ...)
{
    struct event e = {.tag = tag, .file = file, .line = line};
    const upcr_shared_ptr_t *p;
    va_list rest;
    va_start(rest, column);
    if (tag == GASP_UPC_GET || tag == GASP_UPC_PUT) {
        e.first = va_arg(rest, int);
        if (tag == GASP_UPC_GET) CHECK(va_arg(rest, void *) != NULL);
        p = va_arg(rest, const upcr_shared_ptr_t *);
        if (tag == GASP_UPC_PUT) CHECK(va_arg(rest, const void *) != NULL);
        note(&e, p, va_arg(rest, size_t));
    } else if (tag == GASP_UPC_MEMCPY) {
        p = va_arg(rest, const upcr_shared_ptr_t *);
        CHECK(upcr_threadof_shared(*va_arg(rest, const upcr_shared_ptr_t *)) == (upcr_thread_t)MYTHREAD);
        note(&e, p, va_arg(rest, size_t));
    } else if (tag == GASP_UPC_NOTIFY || tag == GASP_UPC_WAIT) {
        e.first = va_arg(rest, int);
        e.value = va_arg(rest, int);
    } else if (tag == GASP_UPC_C_FUNC) {
        e.name = va_arg(rest, const char *);
    } else {
        return; /* the end of the program */
    }
    va_end(rest);
    CHECK(context == (gasp_context_t)1 && type != GASP_ATOMIC && column == 0);
    last[type == GASP_END] = e;
    ++events[type == GASP_END];
}

/* ---- The program ---- */

/* Since the last time there have been `calls` calls, the last one with this event at its ends. */
static int heard(unsigned calls, unsigned tag, int line, int first, long value)
{
    const int same = events[0] == calls && events[1] == calls && memcmp(&last[0], &last[1], sizeof last[0]) == 0 &&
                     last[1].tag == tag && last[1].line == line && strcmp(last[1].file, "p.upc") == 0 &&
                     last[1].first == first && last[1].value == value;
    events[0] = events[1] = 0;
    return same;
}
static int about(const void *placeholder, int thread)
{
    return last[1].thread == (upcr_thread_t)thread && last[1].offset == (uint64_t)entry_offset(placeholder);
}

static void accesses(int right)
{
    const upc_shared_ptr_t p = emit_at(&cells[1], right), q = emit_at(wide, right), mine = emit_at(cells, MYTHREAD);
    emit_di block = 5;
    __putgdi4(p, 77, "p.upc", 1);
    CHECK(heard(1, GASP_UPC_PUT, 1, 1, 8) && about(&cells[1], right));
    CHECK(__getsgdi3(p, "p.upc", 2) == 77);
    CHECK(heard(1, GASP_UPC_GET, 2, 0, 8) && about(&cells[1], right));
    __putsgtf4(q, 1.5L, "p.upc", 3);
    CHECK(heard(1, GASP_UPC_PUT, 3, 0, sizeof(emit_tf)) && about(wide, right));
    CHECK(__getgtf3(q, "p.upc", 4) == 1.5L);
    CHECK(heard(1, GASP_UPC_GET, 4, 1, sizeof(emit_tf)));
    __putgblk5(p, &block, 7, "p.upc", 5);
    CHECK(heard(1, GASP_UPC_PUT, 5, 1, 7) && about(&cells[1], right));
    __getsgblk5(&block, p, 3, "p.upc", 6);
    CHECK(heard(1, GASP_UPC_GET, 6, 0, 3) && block == 5);
    __copygblk5(p, mine, 8, "p.upc", 7);
    CHECK(heard(1, GASP_UPC_MEMCPY, 7, 0, 8) && about(&cells[1], right));
    __putdi2(p, 1);
    CHECK(__getsdi2(p) == 1 && events[0] == 0 && events[1] == 0);
}

int main(int argc, char **argv)
{
    (void)argc, (void)argv;
    __upc_funcg(1, "main", "p.upc", 10);
    CHECK(events[0] == 1 && events[1] == 0 && strcmp(last[0].name, "main") == 0 && last[0].tag == GASP_UPC_C_FUNC);
    __upc_funcg(0, "main", "p.upc", 10);
    CHECK(heard(1, GASP_UPC_C_FUNC, 10, 0, 0));
    accesses(entry_thread(1));
    __upc_notifyg(9, "p.upc", 11);
    CHECK(heard(1, GASP_UPC_NOTIFY, 11, 1, 9));
    __upc_waitg(9, "p.upc", 12);
    CHECK(heard(1, GASP_UPC_WAIT, 12, 1, 9));
    __upc_barrierg(EMIT_ANONYMOUS, "p.upc", 13);
    CHECK(heard(2, GASP_UPC_WAIT, 13, 0, EMIT_ANONYMOUS));
    return emit_failures;
}
