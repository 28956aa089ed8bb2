/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first object of a program of GCC-UPC or Clang-UPC: the beginning of its linker sections (upcr/gccupc.h).
 * Assembly, because the order inside a section matters.
 */

/* Addresses only: every UPC thread has a copy. On a page, so that alignments hold in the copies. The first
 * bytes are unused, so that no variable has offset 0, which is null. */
        .section upc_shared, "aw", %progbits
        .balign 4096
        .globl __upc_shared_start
        .globl UPCRL_shared_begin
__upc_shared_start:
UPCRL_shared_begin:
        .zero 256
/* The variable that a compiled upc_fence accesses; objects of Clang bring their own. */
        .weak __upc_fence_var
        .type __upc_fence_var, %object
        .size __upc_fence_var, 4
__upc_fence_var:
        .zero 16

/* Null entries are skipped. */
        .section upc_init_array, "aw", %progbits
        .balign 8
        .globl __upc_init_array_start
        .globl UPCRL_init_array_begin
__upc_init_array_start:
UPCRL_init_array_begin:
        .quad 0

        .section upc_pgm_info, "a", %progbits
        .globl __upc_pgm_info_start
__upc_pgm_info_start:
        .byte 0

/* The program's main function: referenced here, before the archives that may define it. */
        .globl upc_main

        .section .note.GNU-stack, "", %progbits
