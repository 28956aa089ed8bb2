/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An object file and a library with different pointers-to-shared are incompatible. So every object that
 * includes upcr.h refers to a symbol that is named after its pointers, and a library has the one of its own:
 *
 *   - the link of an object with a library of another layout fails: "undefined reference to
 *     `upcri_pointers_struct'", after a warning from the library that has both layouts and the cure;
 *   - a program that finds such a library when it is started is ended before main(), with the same sentence.
 *
 * The reference is one word of data, once in a program or shared library; no code reads it. Nothing here is
 * for users.
 */
#pragma once
#include "upcr/base.h"

#define UPCRI_REFER_2(symbol)                                                  \
    __asm__(".pushsection .data.rel.ro." #symbol ",\"awG\",%progbits," #symbol \
            ".word,comdat\n"                                                   \
            ".balign 8\n.8byte " #symbol "\n.popsection")
#define UPCRI_REFER(symbol) UPCRI_REFER_2(symbol)
#define UPCRI_PACKED_2(phase, thread, addr) upcri_pointers_packed_p##phase##_t##thread##_a##addr
#define UPCRI_PACKED(phase, thread, addr) UPCRI_PACKED_2(phase, thread, addr)

#ifdef UPCRI_POINTER_packed
/* The second is for libraries of the same layout with other UPCR_PHASE_BITS, UPCR_THREAD_BITS,
 * UPCR_ADDR_BITS. */
UPCRI_REFER(upcri_pointers_packed);
UPCRI_REFER(UPCRI_PACKED(UPCRI_PHASE_BITS, UPCRI_THREAD_BITS, UPCRI_ADDR_BITS));
#else
UPCRI_REFER(upcri_pointers_struct);
#endif
