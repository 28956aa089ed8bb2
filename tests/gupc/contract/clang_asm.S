/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Clang-UPC emits on x86-64, without inlined accesses, for a program of three threads (-fupc-threads-3):
 *
 *     shared long numbers[3] = {7000, 7001, 7002};     set by __upc_init_decls
 *     shared long double widths[3];
 *     struct five { char c[5]; };  shared struct five fives[3];
 *     long double clang_width(int thread)              { return widths[thread]; }
 *     void clang_set_width(int thread, long double x)  { strict: widths[thread] = x; }
 *     void clang_five(struct five *to, int thread)     { *to = fives[thread]; }      by thread and offset
 *     void clang_set_five(int thread, struct five *x)  { fives[thread] = *x; }
 *     void clang_fence(void)                           { upc_fence; }
 *     void clang_barrier(void)                         { upc_barrier 9; }
 *
 * THREADS is a number in the code. The section with the strings has the header's, with two blanks, and the
 * compiler's. A fence is a strict read and a strict write of a variable that every object brings.
 */
        .section upc_shared,"aw",@progbits
        .globl  numbers
        .p2align 3
        .type   numbers,@object
numbers:
        .zero   8
        .size   numbers, 8
        .p2align 4
        .type   widths,@object
widths:
        .zero   16
        .size   widths, 16
        .type   fives,@object
fives:
        .zero   5
        .size   fives, 5

        .section upc_shared,"awG",@progbits,__upc_fence_var,comdat
        .weak   __upc_fence_var
        .p2align 2
        .type   __upc_fence_var,@object
__upc_fence_var:
        .zero   4
        .size   __upc_fence_var, 4

        .section upc_pgm_info,"a",@progbits
        .asciz  "$GCCUPCConfig: (<built-in>)  staticthreads=3 process$"
        .asciz  "$GCCUPCConfig: (clang_asm.upc) staticthreads=3 process$"

        .section upc_init_array,"aw",@progbits
        .p2align 3
        .quad   0
        .quad   __upc_init_decls

        .text
/* The pointer to the thread's part of a variable, thread in eax, in the first argument's registers. */
        .macro  pointer variable
#ifdef STRUCT_FORM
        movl    $\variable, %edi
        movl    %eax, %esi
#else
        movl    $\variable, %edi
        subq    $__upc_shared_start, %rdi
        shlq    $30, %rdi
        shlq    $20, %rax
        orq     %rax, %rdi
#endif
        .endm

        .type   __upc_init_decls,@function
__upc_init_decls:
        pushq   %rbx
        xorl    %ebx, %ebx
1:
        cmpl    MYTHREAD(%rip), %ebx
        jne     2f
        movl    %ebx, %eax
        pointer numbers
#ifdef STRUCT_FORM
        leaq    7000(%rbx), %rdx
#else
        leaq    7000(%rbx), %rsi
#endif
        callq   __putdi2
2:
        incl    %ebx
        cmpl    $3, %ebx
        jne     1b
        popq    %rbx
        retq
        .size   __upc_init_decls, .-__upc_init_decls

        .globl  clang_width
        .type   clang_width,@function
clang_width:
        pushq   %rax
        movl    %edi, %eax
        pointer widths
        callq   __gettf2
        popq    %rax
        retq
        .size   clang_width, .-clang_width

        .globl  clang_set_width
        .type   clang_set_width,@function
clang_set_width:
        subq    $24, %rsp
        fldt    32(%rsp)
        fstpt   (%rsp)
        movl    %edi, %eax
        pointer widths
        callq   __putstf2
        addq    $24, %rsp
        retq
        .size   clang_set_width, .-clang_set_width

        .globl  clang_five
        .type   clang_five,@function
clang_five:
        movq    %rdi, %rdx
        movslq  %esi, %rdi
        movl    $fives, %esi
        subq    $__upc_shared_start, %rsi
        movl    $5, %ecx
        jmp     __getblk4
        .size   clang_five, .-clang_five

        .globl  clang_set_five
        .type   clang_set_five,@function
clang_set_five:
        movslq  %edi, %rax
        movq    %rsi, %rdi
        movq    %rax, %rsi
        movl    $fives, %edx
        subq    $__upc_shared_start, %rdx
        movl    $5, %ecx
        jmp     __putblk4
        .size   clang_set_five, .-clang_set_five

        .globl  clang_fence
        .type   clang_fence,@function
clang_fence:
        pushq   %rax
        xorl    %eax, %eax
        pointer __upc_fence_var
        callq   __getssi2
        movl    %eax, %ecx
        xorl    %eax, %eax
        pointer __upc_fence_var
#ifdef STRUCT_FORM
        movl    %ecx, %edx
#else
        movl    %ecx, %esi
#endif
        callq   __putssi2
        popq    %rax
        retq
        .size   clang_fence, .-clang_fence

        .globl  clang_barrier
        .type   clang_barrier,@function
clang_barrier:
        movl    $9, %edi
        jmp     __upc_barrier
        .size   clang_barrier, .-clang_barrier

        .section ".note.GNU-stack","",@progbits
