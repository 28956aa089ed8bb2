/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools.h: timers, memory barriers, atomics, locks, thread-local pointers, environment, numbers, errors
 * and backtraces for C and C++ programs (gasnett_*, GASNETT_*; interface of GASNet-1 tools, version 1.9).
 *
 * After gasnet.h it is part of the job's library. Alone it needs no job, no gasnet_init() and no network:
 *   cc -pthread prog.c $(pkg-config --cflags --libs gasnet_tools-par)
 * Threads or none: see gasnet/tools/mode.h. GASNETT_LITE_MODE: timers and memory barriers only, in objects that
 * may be linked into either.
 *
 * Each part describes its functions:
 */
#pragma once
#if (defined(GASNET_SEQ) || defined(GASNET_PAR) || defined(GASNET_PARSYNC)) && !defined(_GASNET_H)
#error "gasnet_tools.h needs gasnet.h before it when GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR is defined"
#endif
#define _GASNET_TOOLS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gasnet/tools/mode.h"
#include "gasnet/tools/attributes.h"
#include "gasnet/tools/timers.h"
#include "gasnet/tools/membars.h"
#ifndef GASNETT_LITE_MODE
#include "gasnet/tools/atomics.h"
#include "gasnet/tools/data.h"
#include "gasnet/tools/environment.h"
#include "gasnet/tools/errors.h"
#include "gasnet/tools/locks.h"
#include "gasnet/tools/system.h"
#include "gasnet/tools/threadkeys.h"
#include "gasnet/tools/trace.h"
#include "gasnet/tools/with_gasnet.h"
#endif
