# SPDX-License-Identifier: BSD-3-Clause
# What a compiler with packed pointers-to-shared (20, 10, 34 bits, address first) emits on x86-64 for
#
#     shared long counter[THREADS] = {1000, 1001, ...};
#     struct triple { long a, b, c; };  shared struct triple triples[THREADS];
#     long asm_add(int thread, long amount)  { strict: return counter[thread] += amount; }   (relaxed load)
#     void asm_copy(int to, int from)        { triples[to] = triples[from]; }
#     void asm_set(int thread, struct triple *t)  { triples[thread] = *t; }
#     void asm_barrier_all(void)                    { upc_barrier; }
#
# A pointer-to-shared is one register: (address - __upc_shared_start) << 30 | thread << 20.
        .macro  pts symbol, thread, to, scratch
        movl    $\symbol, %e\to
        subq    $__upc_shared_start, %r\to
        salq    $30, %r\to
        movslq  \thread, \scratch
        salq    $20, \scratch
        orq     \scratch, %r\to
        .endm

        .section upc_shared,"aw",@progbits
        .balign 8
counter:
        .zero   8
triples:
        .zero   24

        .section upc_pgm_info,"a",@progbits
        .string "$GCCUPCConfig: (entry_asm_packed.s) dynamicthreads process$"

        .section upc_init_array,"aw",@progbits
        .balign 8
        .quad   __upc_init_decls

        .text
        .type   __upc_init_decls, @function
__upc_init_decls:
        subq    $8, %rsp
        pts     counter, MYTHREAD(%rip), di, %rax
        movslq  MYTHREAD(%rip), %rsi
        addq    $1000, %rsi
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
        pts     counter, %ebx, di, %rax
        call    __getdi2
        addq    %rax, %r12
        pts     counter, %ebx, di, %rax
        movq    %r12, %rsi
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
        movl    %edi, %ecx
        movl    %esi, %r8d
        pts     triples, %ecx, di, %rax
        pts     triples, %r8d, si, %rax
        movl    $24, %edx
        jmp     __copyblk3
        .size   asm_copy, .-asm_copy

        .globl  asm_set
        .type   asm_set, @function
asm_set:
        movl    %edi, %ecx
        pts     triples, %ecx, di, %rax
        movl    $24, %edx
        jmp     __putblk3
        .size   asm_set, .-asm_set

        .globl  asm_get
        .type   asm_get, @function
asm_get:                                # void asm_get(struct triple *to, int thread)
        movl    %esi, %ecx
        pts     triples, %ecx, si, %rax
        movl    $24, %edx
        jmp     __getblk3
        .size   asm_get, .-asm_get

        .globl  asm_barrier_all
        .type   asm_barrier_all, @function
asm_barrier_all:
        movl    $0x80000000, %edi       # INT_MIN: no expression
        jmp     __upc_barrier
        .size   asm_barrier_all, .-asm_barrier_all

        .section .note.GNU-stack,"",@progbits
