# SPDX-License-Identifier: BSD-3-Clause
# The same as entry_asm_packed.s, as a compiler with struct pointers-to-shared (address first) emits it. A
# pointer-to-shared is two registers: the address of the placeholder, and thread | phase << 32.
        .section upc_shared,"aw",@progbits
        .balign 8
counter:
        .zero   8
triples:
        .zero   24

        .section upc_pgm_info,"a",@progbits
        .string "$GCCUPCConfig: (entry_asm_struct.s) dynamicthreads process$"

        .section upc_init_array,"aw",@progbits
        .balign 8
        .quad   __upc_init_decls

        .text
        .type   __upc_init_decls, @function
__upc_init_decls:
        subq    $8, %rsp
        movl    $counter, %edi
        movl    MYTHREAD(%rip), %esi
        movslq  MYTHREAD(%rip), %rdx
        addq    $1000, %rdx
        call    __putdi2
        addq    $8, %rsp
        ret
        .size   __upc_init_decls, .-__upc_init_decls

        .globl  asm_add
        .type   asm_add, @function
asm_add:
        pushq   %rbx
        pushq   %r12
        subq    $8, %rsp
        movl    %edi, %ebx
        movq    %rsi, %r12
        movl    $counter, %edi
        movl    %ebx, %esi
        call    __getdi2
        addq    %rax, %r12
        movl    $counter, %edi
        movl    %ebx, %esi
        movq    %r12, %rdx
        call    __putsdi2
        movq    %r12, %rax
        addq    $8, %rsp
        popq    %r12
        popq    %rbx
        ret
        .size   asm_add, .-asm_add

        .globl  asm_copy
        .type   asm_copy, @function
asm_copy:
        movl    %esi, %ecx              # from: the second pointer, in rdx and rcx
        movl    %edi, %esi
        movl    $triples, %edi
        movl    $triples, %edx
        movl    $24, %r8d
        jmp     __copyblk3
        .size   asm_copy, .-asm_copy

        .globl  asm_set
        .type   asm_set, @function
asm_set:
        movq    %rsi, %rdx
        movl    %edi, %esi
        movl    $triples, %edi
        movl    $24, %ecx
        jmp     __putblk3
        .size   asm_set, .-asm_set

        .globl  asm_get
        .type   asm_get, @function
asm_get:                                # void asm_get(struct triple *to, int thread)
        movl    %esi, %edx
        movl    $triples, %esi
        movl    $24, %ecx
        jmp     __getblk3
        .size   asm_get, .-asm_get

        .globl  asm_barrier_all
        .type   asm_barrier_all, @function
asm_barrier_all:
        movl    $0x80000000, %edi       # INT_MIN: no expression
        jmp     __upc_barrier
        .size   asm_barrier_all, .-asm_barrier_all

        .section .note.GNU-stack,"",@progbits
