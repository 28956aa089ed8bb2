/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upcri_gupc_format (upcr/gupc.h) for programs that a compiler's own driver links: the values are those of absolute
 * symbols, which the library's linker script sets (libraries.cmake). So one object serves any width of the fields.
 * Two 32-bit members make one word of 64, which position-independent programs may have too.
 */
        .section .data.rel.ro, "aw", %progbits
        .balign 8
        .globl  upcri_gupc_format
        .type   upcri_gupc_format, %object
        .size   upcri_gupc_format, 40
upcri_gupc_format:
        .quad   upcri_gupc_order_and_address_shift
        .quad   upcri_gupc_thread_and_phase_shift
        .quad   upcri_gupc_address_mask
        .quad   upcri_gupc_thread_mask
        .quad   upcri_gupc_phase_mask

        .section .note.GNU-stack, "", %progbits
