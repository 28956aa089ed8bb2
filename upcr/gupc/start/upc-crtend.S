/* SPDX-License-Identifier: BSD-3-Clause */
/* The last object of a program of GCC-UPC or Clang-UPC: where its linker sections end (upc-crtbegin.S). */
        .section upc_shared, "aw", %progbits
        .globl __upc_shared_end
        .globl UPCRL_shared_end
__upc_shared_end:
UPCRL_shared_end:

        .section upc_init_array, "aw", %progbits
        .balign 8
        .globl __upc_init_array_end
        .globl UPCRL_init_array_end
__upc_init_array_end:
UPCRL_init_array_end:

        .section upc_pgm_info, "a", %progbits
        .globl __upc_pgm_info_end
__upc_pgm_info_end:

        .section .note.GNU-stack, "", %progbits
