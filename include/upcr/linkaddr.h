/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Link addresses: the linker's addresses of shared variables of a program whose compiler puts these in a
 * section (UPC Runtime specification, "Support for systems which store shared variables in a separate linker
 * section"). Nothing is stored there: each UPC thread has a copy of the section in its segment, and these
 * functions translate between the two. UPCR_USING_LINKADDRS is defined in files that upcc --abi=gupc
 * compiles, which use such addresses.
 *
 * A link address may also be the end of the section. Other addresses are fatal. UPC threads, from
 * static_init() on.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/* The address in the calling thread's copy for `linkaddr`, and back. */
UPCRI_API void *upcr_linkaddr_to_local(const void *linkaddr);
UPCRI_API void *upcr_local_to_linkaddr(const void *local);

/* The same in the copy of `thread`, as a pointer-to-shared with phase 0, and back; null is not allowed. */
UPCRI_API upcr_shared_ptr_t upcr_linkaddr_to_shared(const void *linkaddr, upcr_thread_t thread);
UPCRI_API void *upcr_shared_to_linkaddr(upcr_shared_ptr_t sptr);

UPCRI_END_C
