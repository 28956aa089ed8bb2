// SPDX-License-Identifier: BSD-3-Clause
// The symbols of upcr/representation.h: those of this library's pointers-to-shared.
#include "include/upcr/representation.h"

extern "C" {

#ifdef UPCRI_POINTER_packed
UPCRI_API void upcri_pointers_packed();
UPCRI_API void UPCRI_PACKED(UPCRI_PHASE_BITS, UPCRI_THREAD_BITS, UPCRI_ADDR_BITS)();
void upcri_pointers_packed() {}
void UPCRI_PACKED(UPCRI_PHASE_BITS, UPCRI_THREAD_BITS, UPCRI_ADDR_BITS)() {}
#else
UPCRI_API void upcri_pointers_struct();
void upcri_pointers_struct() {}
#endif

}  // extern "C"
