/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files compiled with `upcc --inst` (UPCR_GASP=1): calls report to the GASP tool that is linked, with the line
 * they stand in. Included last by upcr.h instead of callsites.h; nothing here is for users. Without --inst none
 * of this is compiled, so nothing is paid.
 *
 *   UPCR_PRAGMA_PUPC        0 in the parts of a file behind `#pragma pupc off`: nothing is reported there
 *   UPCR_GASP_LOCAL=1       puts and gets of the calling thread's own shared memory are reported too
 *   UPCR_GASP_FUNCTIONS=1   entry and exit of UPC functions are
 *
 * Each header of instrument/ has in-line functions that report and call the real ones, and then the macros
 * that turn a file's calls into calls of them.
 */
#pragma once
#if defined(UPCR_GASP) && UPCR_GASP
#include "upcr/instrument/access.h"
#include "upcr/instrument/access_val.h"
#include "upcr/instrument/bulk.h"
#include "upcr/instrument/coll.h"
#include "upcr/instrument/heap.h"
#include "upcr/instrument/locks_barriers.h"
#include "upcr/instrument/nb.h"
#include "upcr/instrument/sync.h"
#include "upcr/instrument/translated.h"
#endif
