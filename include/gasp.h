/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GASP, the global address space performance interface: functions that a measurement tool defines and an
 * instrumented program calls (GASP specification 1.5; events of UPC in gasp_upc.h). A program is instrumented
 * by `upcc --inst`, and the tool is linked with it: docs/reference/gasp.md.
 */
#pragma once
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GASP_VERSION 20060914

typedef enum {
    GASP_MODEL_UPC,
    GASP_MODEL_TITANIUM,
    GASP_MODEL_CAF,
    GASP_MODEL_MPI,
    GASP_MODEL_SHMEM
} gasp_model_t;

/* Start and end of an operation, or an event without duration. Operations of one thread nest. */
typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

/* The state of the tool, one per UPC thread; opaque to the program and the library. Not null. */
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

/*
 * Called on each UPC thread, one after the other in a process, before its first event. The arguments are a
 * copy of the program's: the program does not see the tool's changes.
 */
gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);
/*
 * An event on the thread of this context, which is the caller. filename may be null and linenum, colnum
 * 0: not known. The arguments behind them depend on evttag and evttype.
 */
void gasp_event_notify(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype,
                       const char *filename, int linenum, int colnum, ...);
/* Switches measurement on this thread on (1) or off (0); returns the previous state. A tool need not define
 * it. */
int gasp_control(gasp_context_t context, int on);
/*
 * A tag for an event of the user's, from GASP_UPC_USEREVT_START on; the same for the same name. A tool need
 * not define it: then the library numbers the events.
 */
unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc);

#ifdef __cplusplus
}
#endif
