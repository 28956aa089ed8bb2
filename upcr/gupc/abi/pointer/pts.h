/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pointer-to-shared (PTS) as GCC-UPC and Clang-UPC pass it by value, and what it consists of. One form for
 * each archive: GUPC_PTS_packed or GUPC_PTS_struct is defined for every file that includes this, C or C++.
 *
 *   packed  one 64-bit word. The address field is the offset from __upc_shared_start.
 *   struct  16 bytes: an address of 8, a thread and a phase of 4 each. The address field is the offset plus
 *           the address of __upc_shared_start (so programs are linked with that at the same address in all
 *           processes: upcc --abi=gupc links without PIE).
 *
 * The order of the fields and, in the packed form, their widths are data (upcri_gupc_format), which the
 * first object of a program (upcc writes it) sets as its compiler was configured. Null is all zero.
 */
#pragma once
#include "upcr/gupc.h"

UPCRI_BEGIN_C

extern char __upc_shared_start[];

#ifdef GUPC_PTS_packed
typedef uint64_t upc_shared_ptr_t;

UPCRI_STATIC uint64_t gupc_offset(upc_shared_ptr_t p) {
    return p >> upcri_gupc_format.address_shift & upcri_gupc_format.address_mask;
}
UPCRI_STATIC upcr_thread_t gupc_thread(upc_shared_ptr_t p) {
    return (upcr_thread_t)(p >> upcri_gupc_format.thread_shift & upcri_gupc_format.thread_mask);
}
UPCRI_STATIC upcr_phase_t gupc_phase(upc_shared_ptr_t p) {
    return (upcr_phase_t)(p >> upcri_gupc_format.phase_shift & upcri_gupc_format.phase_mask);
}
UPCRI_STATIC int gupc_is_null(upc_shared_ptr_t p) { return p == 0; }
UPCRI_STATIC upc_shared_ptr_t gupc_null(void) { return 0; }
UPCRI_STATIC upc_shared_ptr_t gupc_make(uint64_t offset, upcr_thread_t thread, upcr_phase_t phase) {
    return offset << upcri_gupc_format.address_shift | (uint64_t)thread << upcri_gupc_format.thread_shift |
           (uint64_t)phase << upcri_gupc_format.phase_shift;
}
#else
typedef struct {
    uint64_t words[2];
} upc_shared_ptr_t;

/* address first: {address, thread | phase << 32}; last: {phase | thread << 32, address} (little endian). */
UPCRI_STATIC uint64_t gupc_offset(upc_shared_ptr_t p) {
    return p.words[upcri_gupc_format.address_last ? 1 : 0] - (uint64_t)(uintptr_t)__upc_shared_start;
}
UPCRI_STATIC upcr_thread_t gupc_thread(upc_shared_ptr_t p) {
    return (upcr_thread_t)(upcri_gupc_format.address_last ? p.words[0] >> 32 : p.words[1]);
}
UPCRI_STATIC upcr_phase_t gupc_phase(upc_shared_ptr_t p) {
    return (upcr_phase_t)(upcri_gupc_format.address_last ? p.words[0] : p.words[1] >> 32);
}
UPCRI_STATIC int gupc_is_null(upc_shared_ptr_t p) { return (p.words[0] | p.words[1]) == 0; }
UPCRI_STATIC upc_shared_ptr_t gupc_null(void) {
    const upc_shared_ptr_t null = {{0, 0}};
    return null;
}
UPCRI_STATIC upc_shared_ptr_t gupc_make(uint64_t offset, upcr_thread_t thread, upcr_phase_t phase) {
    const uint64_t address = offset + (uint64_t)(uintptr_t)__upc_shared_start;
    upc_shared_ptr_t p;
    p.words[0] = upcri_gupc_format.address_last ? (uint64_t)phase | (uint64_t)thread << 32 : address;
    p.words[1] = upcri_gupc_format.address_last ? address : (uint64_t)thread | (uint64_t)phase << 32;
    return p;
}
#endif

UPCRI_END_C
