/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split-phase barrier of nodes (GASNet specification 1.8, 6). One thread per node takes part in each
 * call; notify and wait may be called by different threads, one after the other. Not in handlers.
 *
 * Nodes agree when all named values are equal; anonymous nodes agree with every value. A flag
 * GASNET_BARRIERFLAG_MISMATCH at any notify makes all disagree.
 */
#pragma once
#include "gasnet/types.h"

GASNETI_BEGIN_EXTERNC

#define GASNET_BARRIERFLAG_ANONYMOUS 1 /* id is ignored */
#define GASNET_BARRIERFLAG_MISMATCH 2  /* causes a mismatch on all nodes */
#define GASNET_BARRIERFLAG_IMAGES 4    /* of collectives; ignored */
#define GASNET_BARRIERFLAG_UNNAMED 9   /* anonymous, on all nodes */

/* Starts a phase; does not wait. Fatal in the debug library when a phase is open. */
extern GASNETI_API void gasnet_barrier_notify(int id, int flags);
/* Waits until all nodes have notified. GASNET_OK, or GASNET_ERR_BARRIER_MISMATCH when they disagree or when a
 * named `id` is not what they agreed on. */
extern GASNETI_API int gasnet_barrier_wait(int id, int flags);
/* Polls once: GASNET_ERR_NOT_READY without effect, or as gasnet_barrier_wait(). */
extern GASNETI_API int gasnet_barrier_try(int id, int flags);
/* Notify and wait. */
extern GASNETI_API int gasnet_barrier(int id, int flags);
/* The outcome of the last phase, before the next notify: 0 and *id, the name agreed on, or not 0 when it was
 * anonymous. */
extern GASNETI_API int gasnet_barrier_result(int *id);

GASNETI_END_EXTERNC
