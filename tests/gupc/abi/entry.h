/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points that emit.h does not declare, as a compiler declares them to itself: for entry_*.c. */
#pragma once
#include "tests/gupc/emit.h"

/* Split forms: thread, offset from __upc_shared_start. */
#define ENTRY_DECLARE_SPLIT(m, T)    \
    T __get##m##3(long, long);       \
    T __gets##m##3(long, long);      \
    void __put##m##3(long, long, T); \
    void __puts##m##3(long, long, T);
EMIT_MODES(ENTRY_DECLARE_SPLIT)
void __getblk4(long, long, void *, size_t);
void __getsblk4(long, long, void *, size_t);
void __putblk4(const void *, long, long, size_t);
void __putsblk4(const void *, long, long, size_t);

/* X(type of LLVM's, mode with the same type, type) */
/* clang-format off */
#define ENTRY_LLVM(X) \
    X(i8, qi, emit_qi) X(i16, hi, emit_hi) X(i32, si, emit_si) X(i64, di, emit_di) X(i128, ti, emit_ti) \
    X(float, sf, emit_sf) X(double, df, emit_df)
/* clang-format on */
#define ENTRY_DECLARE_LLVM(name, m, T)        \
    T upcr_llvm_get_##name(long, long);       \
    T upcr_llvm_get_##name##s(long, long);    \
    void upcr_llvm_put_##name(long, long, T); \
    void upcr_llvm_put_##name##s(long, long, T);
ENTRY_LLVM(ENTRY_DECLARE_LLVM)
void upcr_llvm_getn(long, long, void *, size_t);
void upcr_llvm_getns(long, long, void *, size_t);
void upcr_llvm_putn(const void *, long, long, size_t);
void upcr_llvm_putns(const void *, long, long, size_t);

void *__getaddrg(upc_shared_ptr_t, const char *, int);
void *__cvtaddrg(upc_shared_ptr_t, const char *, int);
void __upc_notifyg(int, const char *, int);
void __upc_waitg(int, const char *, int);
void __upc_barrierg(int, const char *, int);
void __upc_fenceg(const char *, int);

int __upc_rand(void);
void __upc_srand(unsigned);
void __upc_exit(int) __attribute__((noreturn));
void __upc_exitg(int, const char *, int) __attribute__((noreturn));
void __upc_funcg(int, const char *, const char *, int);
void __upc_forallg(int, const char *, int);

/* The offset of a placeholder, for the split forms. */
UPCRI_STATIC long entry_offset(const void *placeholder) {
    return (long)((uintptr_t)placeholder - (uintptr_t)__upc_shared_start);
}
/* The number of the thread so many to the right of the caller. */
UPCRI_STATIC int entry_thread(int distance) { return (MYTHREAD + 2 * THREADS + distance) % THREADS; }

/* Not 0 in one of SPMD_EFFORT calls (slow ways set it), the same ones on every thread: whether to do the next
 * part of a test. `turn`: of the caller's thread. */
UPCRI_STATIC int entry_due(unsigned *turn) {
    const char *const text = getenv("SPMD_EFFORT");
    const unsigned divisor = text != NULL && atoi(text) > 1 ? (unsigned)atoi(text) : 1;
    return (*turn)++ % divisor == 0;
}
