/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The upcr_gmem layer: shared memory as (thread, offset), with non-blocking transfers that are counted, as
 * "UPC Runtime Design Utilizing Portals-4" (chapters 10 to 13 and 18) has it. The GCC/UPC face stands on it;
 * C and C++ programs may use it beside the rest of upcr.h.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/* An address: a UPC thread, and a byte offset in its segment (what upcr_addrfield_shared() tells). */
typedef struct upcr_gmem_addr_struct {
    upcr_thread_t thread;
    uint64_t offset;
} upcr_gmem_addr_t;

UPCRI_END_C
