/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code that the compilers emit on x86-64 at -O1, where they inline libupc's accesses, for
 *
 *     shared long cells[THREADS];                 (relaxed)
 *     long inlined_get(int thread)                { return cells[thread]; }
 *     void inlined_put(int thread, long value)    { cells[thread] = value; }
 *     long inlined_get_strict(int thread)         the same for a strict shared long
 *     void inlined_put_strict(int thread, long value)
 *     long inlined_get_at(P p)                    { return *p; }   p: registers of a pointer-to-shared
 *
 * A pointer is checked, its page and thread are compared with the two cached ones, and __upc_vm_map_addr is called
 * where both differ. The page cache is thread-local with PAGES_TLS, and where MYTHREAD is. Address first; packed:
 * (address - __upc_shared_start) << 30 | thread << 20 in a register, struct: address, thread | phase << 32 in two.
 */
#if defined(__UPC_PTHREADS_MODEL_TLS__) && !defined(PAGES_PLAIN)
#define PAGES_TLS 1
#endif
#ifdef PAGES_TLS
#define CACHE(name) %fs:name@tpoff
#else
#define CACHE(name) name(%rip)
#endif

        .section upc_shared,"aw",@progbits
        .globl  inlined_cells
        .balign 8
        .type   inlined_cells, @object
        .size   inlined_cells, 8
inlined_cells:
        .zero   8

#ifdef __UPC_PTHREADS_MODEL_TLS__
#define MODEL "pthreads-tls dynamicpthreads"
#else
#define MODEL "process"
#endif
        .section upc_pgm_info,"a",@progbits
        .ascii  "$GCCUPCConfig: (<built-in>) dynamicthreads " MODEL "$\0"
        .ascii  "$GCCUPCConfig: (inlined_asm.upc) dynamicthreads " MODEL "$\0"

        .section .rodata.str1.1,"aMS",@progbits,1
null_text:
        .string "Invalid access via null shared pointer"
thread_text:
        .string "Thread number in shared address is out of range"

        .text
/* The pointer to cells[thread], thread in edi: as first argument. */
        .macro  cell
#ifdef __UPC_PTS_STRUCT_REP__
        movl    %edi, %esi
        movl    $inlined_cells, %edi
#else
        movslq  %edi, %rax
        movl    $inlined_cells, %edi
        subq    $__upc_shared_start, %rdi
        salq    $30, %rdi
        salq    $20, %rax
        orq     %rax, %rdi
#endif
        .endm

/* A local address in rax for the pointer in the first argument's registers, with pages of 2^25 bytes. */
        .type   map, @function
map:
#ifdef __UPC_PTS_STRUCT_REP__
        movq    %rdi, %rax
        orq     %rsi, %rax
        je      null
        movl    %esi, %eax
        movq    %rdi, %rcx
        subq    $__upc_shared_start, %rcx
#else
        testq   %rdi, %rdi
        je      null
        movq    %rdi, %rax
        shrq    $20, %rax
        andl    $1023, %eax
        movq    %rdi, %rcx
        shrq    $30, %rcx
#endif
        cmpl    THREADS(%rip), %eax
        jge     thread
        movq    %rcx, %rdx
        shrq    $25, %rdx
        salq    $12, %rdx
        orq     %rax, %rdx
        andl    $0x1ffffff, %ecx
        cmpq    CACHE(__upc_page1_ref), %rdx
        je      first
        cmpq    CACHE(__upc_page2_ref), %rdx
        jne     __upc_vm_map_addr
        movq    CACHE(__upc_page2_base), %rax
        addq    %rcx, %rax
        ret
first:
        movq    CACHE(__upc_page1_base), %rax
        addq    %rcx, %rax
        ret
null:
        subq    $8, %rsp
        movl    $null_text, %edi
        call    __upc_fatal
thread:
        subq    $8, %rsp
        movl    $thread_text, %edi
        call    __upc_fatal
        .size   map, .-map

        .globl  inlined_get_at
        .type   inlined_get_at, @function
inlined_get_at:
        subq    $8, %rsp
        call    map
        movq    (%rax), %rax
        addq    $8, %rsp
        ret
        .size   inlined_get_at, .-inlined_get_at

        .globl  inlined_get
        .type   inlined_get, @function
inlined_get:
        cell
        jmp     inlined_get_at
        .size   inlined_get, .-inlined_get

        .globl  inlined_get_strict
        .type   inlined_get_strict, @function
inlined_get_strict:
        subq    $8, %rsp
        cell
        call    map
        mfence
        movq    (%rax), %rax
        addq    $8, %rsp
        ret
        .size   inlined_get_strict, .-inlined_get_strict

        .globl  inlined_put
        .type   inlined_put, @function
inlined_put:
        pushq   %rbx
        movq    %rsi, %rbx
        cell
        call    map
        movq    %rbx, (%rax)
        popq    %rbx
        ret
        .size   inlined_put, .-inlined_put

        .globl  inlined_put_strict
        .type   inlined_put_strict, @function
inlined_put_strict:
        pushq   %rbx
        movq    %rsi, %rbx
        cell
        call    map
        mfence
        movq    %rbx, (%rax)
        mfence
        popq    %rbx
        ret
        .size   inlined_put_strict, .-inlined_put_strict

        .section .note.GNU-stack,"",@progbits
