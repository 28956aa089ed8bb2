/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library as the compilers' headers (upc.h, upc_collective.h, ...) declare it, for the tests names_*.c, and
 * a shared area to work on. NAMES_2012: with the flags and operators of the encoding gupc-2012.
 */
#pragma once
#include "tests/gupc/emit.h"

typedef upc_shared_ptr_t P;

/* ---- upc.h ---- */
size_t upc_threadof(P);
size_t upc_phaseof(P);
size_t upc_addrfield(P);
P upc_resetphase(P);
size_t upc_affinitysize(size_t, size_t, size_t);
size_t upc_affinity(size_t, size_t, size_t);
void upc_memget(void *, P, size_t);
void upc_memput(P, const void *, size_t);
void upc_memcpy(P, P, size_t);
void upc_memset(P, int, size_t);
void upc_global_exit(int) __attribute__((noreturn));
size_t upc_threadofg(P, const char *, int);
size_t upc_phaseofg(P, const char *, int);
size_t upc_addrfieldg(P, const char *, int);
P upc_resetphaseg(P, const char *, int);
size_t upc_affinitysizeg(size_t, size_t, size_t, const char *, int);
void upc_memgetg(void *, P, size_t, const char *, int);
void upc_memputg(P, const void *, size_t, const char *, int);
void upc_memcpyg(P, P, size_t, const char *, int);
void upc_memsetg(P, int, size_t, const char *, int);
void upc_global_exitg(int, const char *, int) __attribute__((noreturn));

/* ---- upc_collective.h ---- */
typedef int upc_flag_t;
typedef unsigned long upc_op_t;
#ifdef NAMES_2012
enum {
    UPC_IN_ALLSYNC = 0,
    UPC_IN_NOSYNC = 1,
    UPC_IN_MYSYNC = 2,
    UPC_OUT_ALLSYNC = 0,
    UPC_OUT_NOSYNC = 4,
    UPC_OUT_MYSYNC = 8
};
enum {
    UPC_ADD,
    UPC_MULT,
    UPC_AND,
    UPC_OR,
    UPC_XOR,
    UPC_LOGAND,
    UPC_LOGOR,
    UPC_MIN,
    UPC_MAX,
    UPC_FUNC,
    UPC_NONCOMM_FUNC
};
#else
enum {
    UPC_IN_ALLSYNC = 1,
    UPC_IN_MYSYNC = 2,
    UPC_IN_NOSYNC = 4,
    UPC_OUT_ALLSYNC = 8,
    UPC_OUT_MYSYNC = 16,
    UPC_OUT_NOSYNC = 32
};
enum {
    UPC_ADD = 1,
    UPC_MULT = 2,
    UPC_AND = 4,
    UPC_OR = 8,
    UPC_XOR = 16,
    UPC_LOGAND = 32,
    UPC_LOGOR = 64,
    UPC_MIN = 128,
    UPC_MAX = 256,
    UPC_FUNC = 1 << 16,
    UPC_NONCOMM_FUNC = 1 << 17
};
#endif
void upc_all_broadcast(P, P, size_t, upc_flag_t);
void upc_all_scatter(P, P, size_t, upc_flag_t);
void upc_all_gather(P, P, size_t, upc_flag_t);
void upc_all_gather_all(P, P, size_t, upc_flag_t);
void upc_all_exchange(P, P, size_t, upc_flag_t);
void upc_all_permute(P, P, P, size_t, upc_flag_t);
/* X(name, type, type that arithmetic does not overflow in, 1: integers) */
/* clang-format off */
#define NAMES_REDUCE_TYPES(X)                                                                          \
    X(C, signed char, unsigned long, 1) X(UC, unsigned char, unsigned long, 1)                         \
    X(S, short, unsigned long, 1) X(US, unsigned short, unsigned long, 1)                              \
    X(I, int, unsigned long, 1) X(UI, unsigned int, unsigned long, 1)                                  \
    X(L, long, unsigned long, 1) X(UL, unsigned long, unsigned long, 1)                                \
    X(F, float, float, 0) X(D, double, double, 0) X(LD, long double, long double, 0)
/* clang-format on */
#define NAMES_DECLARE_REDUCE(T, TYPE, WIDE, INTEGER)                                          \
    void upc_all_reduce##T(P, P, upc_op_t, size_t, size_t, TYPE (*)(TYPE, TYPE), upc_flag_t); \
    void upc_all_prefix_reduce##T(P, P, upc_op_t, size_t, size_t, TYPE (*)(TYPE, TYPE), upc_flag_t);
NAMES_REDUCE_TYPES(NAMES_DECLARE_REDUCE)
void upc_all_sort(P, size_t, size_t, size_t, int (*)(P, P), upc_flag_t);
void upc_coll_init(void);
void upc_coll_err(P, P, P, size_t, upc_flag_t, size_t, size_t, upc_op_t, upc_flag_t);

/* ---- upc_nb.h ---- */
typedef unsigned long upc_handle_t;
upc_handle_t upc_memget_nb(void *, P, size_t);
upc_handle_t upc_memput_nb(P, const void *, size_t);
upc_handle_t upc_memcpy_nb(P, P, size_t);
upc_handle_t upc_memset_nb(P, int, size_t);
void upc_memget_nbi(void *, P, size_t);
void upc_memput_nbi(P, const void *, size_t);
void upc_memcpy_nbi(P, P, size_t);
void upc_memset_nbi(P, int, size_t);
void upc_sync(upc_handle_t);
int upc_sync_attempt(upc_handle_t);
void upc_synci(void);
int upc_synci_attempt(void);

/* ---- upc_atomic.h: one encoding ---- */
enum {
    ATOMIC_ADD = 1,
    ATOMIC_MULT = 2,
    ATOMIC_AND = 4,
    ATOMIC_OR = 8,
    ATOMIC_XOR = 16,
    ATOMIC_MIN = 128,
    ATOMIC_MAX = 256,
    ATOMIC_GET = 512,
    ATOMIC_SET = 1024,
    ATOMIC_CSWAP = 2048,
    ATOMIC_SUB = 4096,
    ATOMIC_INC = 8192,
    ATOMIC_DEC = 16384
};
enum { UPC_INT = 5, UPC_LONG = 7, UPC_UINT64 = 18, UPC_DOUBLE = 20, UPC_PTS = 22 };
P upc_all_atomicdomain_alloc(int, upc_op_t, int);
void upc_all_atomicdomain_free(P);
void upc_atomic_strict(P, void *, upc_op_t, P, const void *, const void *);
void upc_atomic_relaxed(P, void *, upc_op_t, P, const void *, const void *);
int upc_atomic_isfast(int, upc_op_t, P);

/* ---- upc_castable.h, upc_tick.h, pupc.h ---- */
#ifndef UPCRI_THREAD_INFO_T
typedef struct {
    int guaranteedCastable, probablyCastable;
} upc_thread_info_t;
#endif
void *upc_cast(P);
upc_thread_info_t upc_thread_info(size_t);
uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t);
int pupc_control(int);
unsigned int pupc_create_event(const char *, const char *);
void pupc_event_start(unsigned int, ...);
void pupc_event_end(unsigned int, ...);
void pupc_event_atomic(unsigned int, ...);
void pupc_event_startg(unsigned int, const char *, int, ...);
void pupc_event_endg(unsigned int, const char *, int, ...);
void pupc_event_atomicg(unsigned int, const char *, int, ...);

/* ---- what the tests share ---- */

UPCRI_STATIC void barrier_all(void) { __upc_barrier(EMIT_ANONYMOUS); }

/* splitmix64: the same numbers on every thread that starts from the same state. */
UPCRI_STATIC uint64_t random_word(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
UPCRI_STATIC uint64_t random_below(uint64_t *state, uint64_t limit) { return random_word(state) % limit; }

/* Byte `byte` of a placeholder on a thread, with a phase. */
UPCRI_STATIC P part(const void *placeholder, int thread, size_t byte, unsigned phase) {
    return gupc_make((uint64_t)((uintptr_t)placeholder - (uintptr_t)__upc_shared_start) + byte,
                     (upcr_thread_t)thread, phase);
}
/* The calling thread's own. */
UPCRI_STATIC void *own(const void *placeholder) { return __getaddr(emit_at(placeholder, MYTHREAD)); }

/* `shared [block] T x[]`, T of `bytes` bytes, from a thread and phase on (block 0: all on that thread). */
struct array {
    const void *placeholder; /* of row 0, phase 0 */
    size_t bytes, block, phase;
    int thread;
};
UPCRI_STATIC P element(const struct array *a, size_t i) {
    if (a->block == 0) return part(a->placeholder, a->thread, i * a->bytes, 0);
    const size_t position = a->phase + i, blocks = (size_t)a->thread + position / a->block,
                 phase = position % a->block;
    return part(a->placeholder, (int)(blocks % (size_t)THREADS),
                (blocks / (size_t)THREADS * a->block + phase) * a->bytes, (unsigned)phase);
}
