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

extern unsigned int pupc_create_event(const char *__name, const char *__desc);
extern int pupc_control(int __on);
extern void pupc_event_start(unsigned int __tag, ...);
extern void pupc_event_end(unsigned int __tag, ...);
extern void pupc_event_atomic(unsigned int __tag, ...);
extern void pupc_event_startg(unsigned int __tag, const char *__file, int __line, int __col, ...);
extern void pupc_event_endg(unsigned int __tag, const char *__file, int __line, int __col, ...);
extern void pupc_event_atomicg(unsigned int __tag, const char *__file, int __line, int __col, ...);

#endif
#endif
