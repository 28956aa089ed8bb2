/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <pupc.h>: events of a UPC program for a measurement tool. UPC source: a front end reads it. Included by C
 * it is upcr.h; the calls are documented in the runtime's pupc.h.
 */
#ifndef UPCRI_PREINCLUDE_PUPC_H
#define UPCRI_PREINCLUDE_PUPC_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

extern unsigned int pupc_create_event(const char *name, const char *desc);
extern int pupc_control(int on);
extern void pupc_event_start(unsigned int tag, ...);
extern void pupc_event_end(unsigned int tag, ...);
extern void pupc_event_atomic(unsigned int tag, ...);
extern void pupc_event_startg(unsigned int tag, const char *file, int line, int col, ...);
extern void pupc_event_endg(unsigned int tag, const char *file, int line, int col, ...);
extern void pupc_event_atomicg(unsigned int tag, const char *file, int line, int col, ...);

#endif
#endif
