/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GASNet-1: the interface that communication libraries and compilers for parallel languages use (GASNet
 * specification 1.8). docs/reference/gasnet.md describes how to compile, link and start a client.
 *
 *   gasnet/config.h   what the client was compiled for; versions, strings
 *   gasnet/types.h    types, result codes
 *   gasnet/core.h     start, end, queries, progress
 *   gasnet/am.h       active messages
 *   gasnet/hsl.h      handler-safe locks
 *   gasnet/barrier.h  barriers
 *   gasnet/extended.h put, get, memset
 *   gasnet/coll.h     collectives, teams
 *
 * Before it, define GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR.
 */
#ifndef _GASNET_H
#define _GASNET_H 1

#ifdef _GASNET_TOOLS_H
#error "include gasnet.h before gasnet_tools.h"
#endif

#include "gasnet/config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef GASNET_SEQ
#include <pthread.h>
#endif

#include "gasnet/types.h"
#include "gasnet/core.h"
#include "gasnet/am.h"
#include "gasnet/hsl.h"
#include "gasnet/barrier.h"
#include "gasnet/extended.h"
#include "gasnet/coll.h"

/* For launchers that look into the executable. */
GASNETT_IDENT(gasneti_ident_api, "$GASNetAPIVersion: 1.8 $");
GASNETT_IDENT(gasneti_ident_threads, "$GASNetThreadModel: GASNET_" _STRINGIFY(GASNETI_THREADMODEL) " $");
GASNETT_IDENT(gasneti_ident_segment, "$GASNetSegment: GASNET_SEGMENT_" _STRINGIFY(GASNETI_SEGMENT) " $");
GASNETT_IDENT(gasneti_ident_config, "$GASNetConfig: (libgasnet.a) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(gasneti_ident_conduit, "$GASNetConduitName: " GASNET_CONDUIT_NAME_STR " $");
GASNETT_IDENT(gasneti_ident_core, "$GASNetCoreLibraryName: " GASNET_CORE_NAME_STR " $");
GASNETT_IDENT(gasneti_ident_core_version, "$GASNetCoreLibraryVersion: " GASNET_CORE_VERSION_STR " $");
GASNETT_IDENT(gasneti_ident_extended, "$GASNetExtendedLibraryName: " GASNET_EXTENDED_NAME_STR " $");
GASNETT_IDENT(gasneti_ident_extended_version,
              "$GASNetExtendedLibraryVersion: " GASNET_EXTENDED_VERSION_STR " $");
GASNETT_IDENT(gasneti_ident_segsize, "$GASNetDefaultMaxSegsize: 0 $");

/* The modes that this file was compiled for, in a list that gasnet_init() passes to the library. */
extern const char *const __start_gasnet_units[] __attribute__((__weak__, __visibility__("hidden")));
extern const char *const __stop_gasnet_units[] __attribute__((__weak__, __visibility__("hidden")));
static const char *gasneti_unit UPCRI_KEPT __attribute__((__section__("gasnet_units"))) =
    GASNETI_UNIT_STRING __BASE_FILE__;

#endif
