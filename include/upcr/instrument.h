/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files compiled with `upcc --inst` (UPCR_GASP=1): calls report events, with their file and line, to the GASP
 * tool that the program is linked with. Included last by upcr.h instead of callsites.h; nothing here is for
 * users. Other files contain none of this and pay nothing.
 *
 *   UPCR_PRAGMA_PUPC        0 in the parts of a file behind `#pragma pupc off`: no events there
 *   UPCR_GASP_LOCAL=1       puts and gets of the calling thread's own shared memory have events too
 *   UPCR_GASP_FUNCTIONS=1   entry and exit of UPC functions have
 *
 * Source of events and arguments: GASP 1.5 (gasp_upc.h).
 */
#pragma once
#if defined(UPCR_GASP) && UPCR_GASP
#include "upcr/instrument/calls.h"
#include "upcr/instrument/translated.h"
#endif
