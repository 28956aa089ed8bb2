/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of many sizes at every alignment, by every form of __getblk, __putblk, __copyblk and upcr_llvm_getn,
 * _putn: put to the right neighbour, copied by it to its own right neighbour, and read by all threads.
 * Sources are overwritten as soon as a put has returned.
 */
#include "tests/gupc/abi/entry.h"

EMIT_PROGRAM_INFO;

enum { LARGEST = 70000, GUARD = 32, ROOM = LARGEST + 2 * GUARD + 16 };

SHARED(unsigned char, put_here, ROOM);
SHARED(unsigned char, copied_here, ROOM);
/* Private memory: of each thread, also where threads share a process. */
static EMIT_PER_THREAD unsigned char source[LARGEST + 16], got[LARGEST + 2 * GUARD + 16];

static unsigned char byte_of(int thread, size_t size, size_t i) {
    return (unsigned char)(i * 7 + (i >> 8) * 3 + size + (size_t)thread * 31 + 1);
}

enum { PLAIN, STRICT, PLAIN_G, STRICT_G, SPLIT, SPLIT_STRICT, LLVM, LLVM_STRICT, FORMS };

static void put_block(int form, const unsigned char *object, int thread, void *src, size_t n) {
    const upc_shared_ptr_t p = emit_at(object, thread);
    const long offset = entry_offset(object);
    switch (form) {
    case PLAIN: __putblk3(p, src, n); break;
    case STRICT: __putsblk3(p, src, n); break;
    case PLAIN_G: __putgblk5(p, src, n, __FILE__, __LINE__); break;
    case STRICT_G: __putsgblk5(p, src, n, __FILE__, __LINE__); break;
    case SPLIT: __putblk4(src, thread, offset, n); break;
    case SPLIT_STRICT: __putsblk4(src, thread, offset, n); break;
    case LLVM: upcr_llvm_putn(src, thread, offset, n); break;
    default: upcr_llvm_putns(src, thread, offset, n); break;
    }
}

static void get_block(int form, void *dst, const unsigned char *object, int thread, size_t n) {
    const upc_shared_ptr_t p = emit_at(object, thread);
    const long offset = entry_offset(object);
    switch (form) {
    case PLAIN: __getblk3(dst, p, n); break;
    case STRICT: __getsblk3(dst, p, n); break;
    case PLAIN_G: __getgblk5(dst, p, n, __FILE__, __LINE__); break;
    case STRICT_G: __getsgblk5(dst, p, n, __FILE__, __LINE__); break;
    case SPLIT: __getblk4(thread, offset, dst, n); break;
    case SPLIT_STRICT: __getsblk4(thread, offset, dst, n); break;
    case LLVM: upcr_llvm_getn(thread, offset, dst, n); break;
    default: upcr_llvm_getns(thread, offset, dst, n); break;
    }
}

static void copy_block(int form, upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n) {
    switch (form & 3) {
    case PLAIN: __copyblk3(dst, src, n); break;
    case STRICT: __copysblk3(dst, src, n); break;
    case PLAIN_G: __copygblk5(dst, src, n, __FILE__, __LINE__); break;
    default: __copysgblk5(dst, src, n, __FILE__, __LINE__); break;
    }
}

/* Nothing around the block has been touched, and the block is `thread`'s. */
static int intact(const unsigned char *block, int thread, size_t n) {
    for (size_t i = 1; i <= GUARD; ++i)
        if (block[-(ptrdiff_t)i] != 0xee || block[n + i - 1] != 0xee) return 0;
    for (size_t i = 0; i < n; ++i)
        if (block[i] != byte_of(thread, n, i)) return 0;
    return 1;
}

static void test(int form, size_t n, size_t alignment) {
    const unsigned char *const target = put_here + GUARD + alignment, *const second = copied_here + GUARD + 3;
    const int right = entry_thread(1), left = entry_thread(-1);
    unsigned char *const src = source + (alignment * 5) % 16, *const dst = got + GUARD + alignment % 3;
    memset(__getaddr(emit_at(target - GUARD, MYTHREAD)), 0xee, n + 2 * GUARD);
    memset(__getaddr(emit_at(second - GUARD, MYTHREAD)), 0xee, n + 2 * GUARD);
    memset(dst - GUARD, 0xee, n + 2 * GUARD);
    __upc_barrier(1);
    for (size_t i = 0; i < n; ++i) src[i] = byte_of(MYTHREAD, n, i);
    put_block(form, target, right, src, n);
    memset(src, 0xcc, n);
    __upc_barrier(2);
    CHECK(intact(__getaddr(emit_at(target, MYTHREAD)), left, n));
    copy_block(form, emit_at(second, right), emit_at(target, MYTHREAD), n);
    __upc_barrier(3);
    CHECK(intact(__getaddr(emit_at(second, MYTHREAD)), entry_thread(-2), n));
    __upc_barrier(4);
    /* Both ends elsewhere. */
    copy_block(form + 1, emit_at(second, left), emit_at(target, left), n);
    get_block(form, dst, second, left, n);
    CHECK(intact(dst, entry_thread(-2), n));
    __upc_barrier(5);
}

int main(int argc, char **argv) {
    static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 33, 511, 1024, 1025, 4097, LARGEST};
    unsigned turn = 0;
    (void)argc, (void)argv;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (int form = 0; form < FORMS; ++form)
            if (entry_due(&turn)) test(form, sizes[s], (s * FORMS + (size_t)form) % 16);
    return emit_failures;
}
