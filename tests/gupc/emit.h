/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C that does exactly what GCC-UPC and Clang-UPC emit for UPC: shared variables are placeholders in a linker
 * section, accesses are calls by name, initial values are set by functions in a table. For test programs built
 * by upcc --abi=gupc, one file or several, in both forms of pointers-to-shared, for processes and (with
 * __UPC_PTHREADS_MODEL_TLS__) pthreads. main() is upc_main(), as with the compilers.
 *
 *     SHARED(int, counter, 1);                 shared int counter;
 *     SHARED(int, a, 10);                      shared int a[10*THREADS]: `10` elements on each thread
 *     static void init(void) { __putsi2(emit_at(&counter, 0), 5); }
 *     EMIT_INIT(init);                         shared int counter = 5;
 *     EMIT_PROGRAM_INFO;                       once a file
 *     int main(int argc, char **argv) { ... __getsi2(emit_at(&a[3], 2)) ... return emit_failures; }
 */
#pragma once
#ifdef __UPC_PTS_STRUCT_REP__
#define GUPC_PTS_struct 1
#else
#define GUPC_PTS_packed 1
#endif
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upcr/gupc/abi/pointer/pts.h"

/* --- names that compiled code uses ------------------------------------------------------------------- */

#define main upc_main

#ifdef __UPC_PTHREADS_MODEL_TLS__
#define EMIT_PER_THREAD __thread
#else
#define EMIT_PER_THREAD
#endif
#ifndef THREADS
extern const int THREADS;
#endif
extern EMIT_PER_THREAD const int MYTHREAD;
extern EMIT_PER_THREAD int __upc_forall_depth;
extern int __upc_fence_var;

typedef unsigned char emit_qi;
typedef unsigned short emit_hi;
typedef unsigned int emit_si;
typedef unsigned long emit_di;
typedef unsigned __int128 emit_ti;
typedef float emit_sf;
typedef double emit_df;
typedef long double emit_tf;
typedef long double emit_xf;

/* X(mode, type) for each of the nine modes. xf is a second name of the type that tf is on these machines. */
/* clang-format off */
#define EMIT_MODES(X) \
    X(qi, emit_qi) X(hi, emit_hi) X(si, emit_si) X(di, emit_di) X(ti, emit_ti) \
    X(sf, emit_sf) X(df, emit_df) X(tf, emit_tf) X(xf, emit_xf)
/* clang-format on */

#define EMIT_DECLARE_MODE(m, T)                                \
    T __get##m##2(upc_shared_ptr_t);                           \
    T __gets##m##2(upc_shared_ptr_t);                          \
    T __getg##m##3(upc_shared_ptr_t, const char *, int);       \
    T __getsg##m##3(upc_shared_ptr_t, const char *, int);      \
    void __put##m##2(upc_shared_ptr_t, T);                     \
    void __puts##m##2(upc_shared_ptr_t, T);                    \
    void __putg##m##4(upc_shared_ptr_t, T, const char *, int); \
    void __putsg##m##4(upc_shared_ptr_t, T, const char *, int);
EMIT_MODES(EMIT_DECLARE_MODE)

void __getblk3(void *, upc_shared_ptr_t, size_t);
void __getsblk3(void *, upc_shared_ptr_t, size_t);
void __getgblk5(void *, upc_shared_ptr_t, size_t, const char *, int);
void __getsgblk5(void *, upc_shared_ptr_t, size_t, const char *, int);
void __putblk3(upc_shared_ptr_t, void *, size_t);
void __putsblk3(upc_shared_ptr_t, void *, size_t);
void __putgblk5(upc_shared_ptr_t, void *, size_t, const char *, int);
void __putsgblk5(upc_shared_ptr_t, void *, size_t, const char *, int);
void __copyblk3(upc_shared_ptr_t, upc_shared_ptr_t, size_t);
void __copysblk3(upc_shared_ptr_t, upc_shared_ptr_t, size_t);
void __copygblk5(upc_shared_ptr_t, upc_shared_ptr_t, size_t, const char *, int);
void __copysgblk5(upc_shared_ptr_t, upc_shared_ptr_t, size_t, const char *, int);

void *__getaddr(upc_shared_ptr_t);
void *__cvtaddr(upc_shared_ptr_t);
void __upc_notify(int);
void __upc_wait(int);
void __upc_barrier(int);
void __upc_fence(void);
/* upc_barrier without an expression. */
#define EMIT_ANONYMOUS INT_MIN

/* --- contents of the sections that compilers emit ------------------------------------------------------------ */

/* `count` elements on each thread. Only the address of a variable means anything. */
#define SHARED(type, name, count) type name[count] __attribute__((section("upc_shared"), used))
#define EXTERN_SHARED(type, name) extern type name[]

#define EMIT_INIT(function) \
    static void (*function##_entry)(void) __attribute__((section("upc_init_array"), used)) = function

#define EMIT_TEXT_(x) #x
#define EMIT_TEXT(x) EMIT_TEXT_(x)
#ifdef __UPC_STATIC_THREADS__
#define EMIT_INFO_THREADS "staticthreads=" EMIT_TEXT(THREADS)
#else
#define EMIT_INFO_THREADS "dynamicthreads"
#endif
#ifdef __UPC_PTHREADS_MODEL_TLS__
#define EMIT_INFO_MODEL "pthreads-tls dynamicpthreads"
#else
#define EMIT_INFO_MODEL "process"
#endif
#define EMIT_PROGRAM_INFO                                                                  \
    static const char emit_program_info[] __attribute__((section("upc_pgm_info"), used)) = \
        "$GCCUPCConfig: (" __FILE__ ") " EMIT_INFO_THREADS " " EMIT_INFO_MODEL "$"

/* --- pointers -------------------------------------------------------------------------------------------- */

/* What &x of a placeholder, or of an element in it, is on a thread. */
UPCRI_STATIC upc_shared_ptr_t emit_at(const void *placeholder, int thread) {
    return gupc_make((uint64_t)((uintptr_t)placeholder - (uintptr_t)__upc_shared_start),
                     (upcr_thread_t)thread, 0);
}
/* Element i of `shared [block] T x[...]`, of T's size. */
UPCRI_STATIC upc_shared_ptr_t emit_element(const void *placeholder, size_t i, size_t block, size_t bytes) {
    const size_t row = i / block / (size_t)THREADS, phase = i % block;
    return gupc_make(
        (uint64_t)((uintptr_t)placeholder - (uintptr_t)__upc_shared_start) + (row * block + phase) * bytes,
        (upcr_thread_t)(i / block % (size_t)THREADS), (upcr_phase_t)phase);
}
UPCRI_STATIC upc_shared_ptr_t emit_add_bytes(upc_shared_ptr_t p, uint64_t bytes) {
    return gupc_make(gupc_offset(p) + bytes, gupc_thread(p), gupc_phase(p));
}
UPCRI_STATIC int emit_equal(upc_shared_ptr_t a, upc_shared_ptr_t b) { return memcmp(&a, &b, sizeof a) == 0; }

/* --- checks ------------------------------------------------------------------------------------------ */

/* Not 0: a check failed; what main() returns. */
static int emit_failures __attribute__((unused));
#define CHECK(condition)                                                                                     \
    do                                                                                                       \
        if (!(condition)) {                                                                                  \
            __atomic_store_n(&emit_failures, 1, __ATOMIC_RELAXED);                                           \
            fprintf(stderr, "%s:%d: thread %d of %d: %s\n", __FILE__, __LINE__, (int)MYTHREAD, (int)THREADS, \
                    #condition);                                                                             \
        }                                                                                                    \
    while (0)
