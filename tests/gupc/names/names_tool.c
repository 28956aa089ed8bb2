/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of <pupc.h>, as a measurement tool gets them: this program is its own tool. */
#include <stdarg.h>

#include "gasp.h"
#include "tests/gupc/names/names.h"

EMIT_PROGRAM_INFO;

struct _gasp_context_S {
    int on, events;
    unsigned tag;
    gasp_evttype_t type;
    const char *file;
    int line, number;
    double fraction;
};
static EMIT_PER_THREAD struct _gasp_context_S mine;
static EMIT_PER_THREAD int controlled = -1;

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) {
    if (model != GASP_MODEL_UPC || *argc < 1 || (*argv)[0] == NULL) abort();
    return &mine;
}
int gasp_control(gasp_context_t context, int on) {
    if (context != &mine) abort();
    controlled = on;
    return 1;
}
void gasp_event_notify(gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file,
                       int line, int col, ...) {
    (void)context, (void)tag, (void)type, (void)file, (void)line, (void)col;
}
/* An int and a double follow. */
void gasp_event_notifyVA(gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file,
                         int line, int col, va_list rest) {
    (void)col;
    ++context->events;
    context->tag = tag;
    context->type = type;
    context->file = file;
    context->line = line;
    context->number = va_arg(rest, int);
    context->fraction = va_arg(rest, double);
}

static int got(gasp_evttype_t type, unsigned tag, int number, double fraction) {
    return mine.type == type && mine.tag == tag && mine.number == number && mine.fraction == fraction;
}

int main(void) {
    const unsigned first = pupc_create_event("first", "%d %g"), second = pupc_create_event("second", NULL);
    CHECK(first >= 100 && second != first && pupc_create_event("first", NULL) == first);
    pupc_event_start(first, 1, 2.5);
    CHECK(got(GASP_START, first, 1, 2.5) && mine.file == NULL);
    pupc_event_end(second, 2, 3.5);
    CHECK(got(GASP_END, second, 2, 3.5));
    pupc_event_atomic(first, 3, 4.5);
    CHECK(got(GASP_ATOMIC, first, 3, 4.5));
    pupc_event_startg(first, "heat.upc", 12, 4, 5.5);
    CHECK(got(GASP_START, first, 4, 5.5) && strcmp(mine.file, "heat.upc") == 0 && mine.line == 12);
    pupc_event_endg(first, "heat.upc", 13, 5, 6.5);
    CHECK(got(GASP_END, first, 5, 6.5) && mine.line == 13);
    pupc_event_atomicg(second, "heat.upc", 14, 6, 7.5);
    CHECK(got(GASP_ATOMIC, second, 6, 7.5) && mine.line == 14 && mine.events == 6);
    CHECK(pupc_control(0) == 1 && controlled == 0);
    pupc_event_atomic(first, 7, 8.5); /* no event: switched off */
    CHECK(mine.events == 6);
    CHECK(pupc_control(1) == 0 && controlled == 1);
    pupc_event_atomic(first, 8, 9.5);
    CHECK(mine.events == 7 && got(GASP_ATOMIC, first, 8, 9.5));
    barrier_all();
    return emit_failures;
}
