/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A measurement tool in one file: counts the bytes that each line of a UPC program moves by puts, gets and
 * copies, and prints the lines when the UPC thread ends. Plain C; linked with an instrumented program:
 *     upcc --inst --inst-local gasp.c tool.c
 */
#include <gasp_upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upcr.h>

enum { kMaxLines = 1000 };

/* The counts of one UPC thread. */
struct _gasp_context_S {
    unsigned thread;
    int on;
    size_t bytes[kMaxLines], calls[kMaxLines];
    int marks;
};

gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv) {
    gasp_context_t context = calloc(1, sizeof *context);
    (void)srcmodel, (void)argc, (void)argv;
    context->thread = upcr_mythread();
    context->on = 1;
    return context;
}

int gasp_control(gasp_context_t context, int on) {
    const int before = context->on;
    context->on = on;
    return before;
}

static void print(gasp_context_t context) {
    for (int line = 0; line < kMaxLines; ++line)
        if (context->calls[line] != 0)
            printf("thread %u line %d: %zu bytes, %zu times\n", context->thread, line, context->bytes[line],
                   context->calls[line]);
    printf("thread %u: %d marks\n", context->thread, context->marks);
    fflush(stdout);
}

void gasp_event_notify(gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file,
                       int line, int column, ...) {
    va_list args;
    size_t bytes;
    (void)file, (void)column;
    if (tag == GASP_UPC_COLLECTIVE_EXIT && type == GASP_START) print(context);
    if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END) ++context->marks;
    if (type != GASP_START || line >= kMaxLines) return;
    va_start(args, column);
    switch (tag) {
    case GASP_UPC_PUT:
    case GASP_UPC_GET:
        (void)va_arg(args, int); /* relaxed? */
        /* fallthrough */
    case GASP_UPC_MEMPUT:
    case GASP_UPC_MEMGET:
    case GASP_UPC_MEMCPY:
        (void)va_arg(args, void *); /* destination, source */
        (void)va_arg(args, void *);
        bytes = va_arg(args, size_t);
        context->bytes[line] += bytes;
        ++context->calls[line];
        break;
    default: break;
    }
    va_end(args);
}

unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc) {
    (void)context, (void)name, (void)desc;
    return GASP_UPC_USEREVT_START;
}
