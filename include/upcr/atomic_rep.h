/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the typed atomic operations: one locked instruction if the object is mapped here and the CPU
 * has one, else an out-of-line function; and the macros that define them. Nothing here is for users.
 */
#pragma once
#include "upcr/access_rep.h"
#include "upcr/nb_rep.h"

UPCRI_BEGIN_C

/* Types and operations as in conduits/core/rma/atomic.hpp. */
enum { UPCRI_ATOM_U32, UPCRI_ATOM_I32, UPCRI_ATOM_U64, UPCRI_ATOM_I64, UPCRI_ATOM_FLOAT, UPCRI_ATOM_DOUBLE };
enum {
    UPCRI_ATOM_GET,
    UPCRI_ATOM_SET,
    UPCRI_ATOM_SWAP,
    UPCRI_ATOM_CAS,
    UPCRI_ATOM_MASKED_CAS,
    UPCRI_ATOM_MASKED_SWAP,
    UPCRI_ATOM_ADD,
    UPCRI_ATOM_MULT,
    UPCRI_ATOM_MIN,
    UPCRI_ATOM_MAX,
    UPCRI_ATOM_AND,
    UPCRI_ATOM_OR,
    UPCRI_ATOM_XOR
};

/* Any operation on any object; on an object at an address here. Return the value before, in the low
 * bits. */
UPCRI_API uint64_t upcri_atomic_any(upcr_shared_ptr_t ptr, int type, int op, uint64_t a, uint64_t b);
UPCRI_API uint64_t upcri_atomic_private(void *ptr, int type, int op, uint64_t a, uint64_t b);

/* Debug: fatal on a private address that is null or misaligned. */
#if UPCR_DEBUG
UPCRI_API void upcri_check_atomic(const char *function, const void *ptr, size_t n);
#define UPCRI_CHECK_ATOMIC(function, ptr, n) upcri_check_atomic(function, ptr, n)
#else
#define UPCRI_CHECK_ATOMIC(function, ptr, n) ((void)0)
#endif

/* One instruction at a local address, or 0 if the operation has none. n is 4 or 8; integer types only. */
UPCRI_STATIC int upcri_atomic_quick(uintptr_t address, size_t n, int op, uint64_t a, uint64_t b,
                                    uint64_t *old) {
    upcri_shared4_t *const p4 = (upcri_shared4_t *)address;
    upcri_shared8_t *const p8 = (upcri_shared8_t *)address;
    uint32_t a4 = (uint32_t)a;
    uint64_t a8 = a;
    switch (op) {
    case UPCRI_ATOM_GET: *old = upcri_load(address, n); return 1;
    case UPCRI_ATOM_SET: upcri_store(address, a, n); return 1;
    case UPCRI_ATOM_SWAP:
        *old = n == 4 ? __atomic_exchange_n(p4, a4, __ATOMIC_SEQ_CST)
                      : __atomic_exchange_n(p8, a8, __ATOMIC_SEQ_CST);
        return 1;
    case UPCRI_ATOM_CAS:
        if (n == 4)
            (void)__atomic_compare_exchange_n(p4, &a4, (uint32_t)b, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        else
            (void)__atomic_compare_exchange_n(p8, &a8, b, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        *old = n == 4 ? a4 : a8;
        return 1;
    case UPCRI_ATOM_ADD:
        *old = n == 4 ? __atomic_fetch_add(p4, a4, __ATOMIC_SEQ_CST)
                      : __atomic_fetch_add(p8, a8, __ATOMIC_SEQ_CST);
        return 1;
    case UPCRI_ATOM_AND:
        *old = n == 4 ? __atomic_fetch_and(p4, a4, __ATOMIC_SEQ_CST)
                      : __atomic_fetch_and(p8, a8, __ATOMIC_SEQ_CST);
        return 1;
    case UPCRI_ATOM_OR:
        *old = n == 4 ? __atomic_fetch_or(p4, a4, __ATOMIC_SEQ_CST)
                      : __atomic_fetch_or(p8, a8, __ATOMIC_SEQ_CST);
        return 1;
    case UPCRI_ATOM_XOR:
        *old = n == 4 ? __atomic_fetch_xor(p4, a4, __ATOMIC_SEQ_CST)
                      : __atomic_fetch_xor(p8, a8, __ATOMIC_SEQ_CST);
        return 1;
    default: return 0;
    }
}

/* Everything but the pointer is constant where this is inlined. Strict operations are ordered with all others
 * of this thread; those that return a value serve the network, where there is one, because programs wait for
 * other threads in loops around them. */
__attribute__((always_inline)) UPCRI_STATIC uint64_t upcri_atomic(const char *function, upcr_shared_ptr_t ptr,
                                                                  int strict, int type, int op, uint64_t a,
                                                                  uint64_t b) {
    const size_t n = type == UPCRI_ATOM_U64 || type == UPCRI_ATOM_I64 || type == UPCRI_ATOM_DOUBLE ? 8 : 4;
    const int simple = op == UPCRI_ATOM_GET || op == UPCRI_ATOM_SET;
    uintptr_t address;
    uint64_t old = 0;
    (void)function;
    UPCRI_CHECK_ACCESS(function, ptr, 0, n, UPCRI_ACCESS_VALUE | (strict ? UPCRI_ACCESS_STRICT : 0));
    if (op != UPCRI_ATOM_SET && UPCRI_UNLIKELY(upcri_window.strict_polls)) upcri_strict_poll();
    if (strict) {
        if (op == UPCRI_ATOM_GET)
            UPCRI_FENCE_BEFORE_GET();
        else
            UPCRI_FENCE_BEFORE_PUT();
    }
    if ((!simple && (type == UPCRI_ATOM_FLOAT || type == UPCRI_ATOM_DOUBLE)) ||
        !upcri_find(ptr, 0, 1, &address) || !upcri_atomic_quick(address, n, op, a, b, &old))
        old = upcri_atomic_any(ptr, type, op, a, b);
    if (strict) {
        if (op == UPCRI_ATOM_SET)
            UPCRI_FENCE_AFTER_PUT();
        else
            UPCRI_FENCE_AFTER_GET();
    }
    return old;
}
__attribute__((always_inline)) UPCRI_STATIC uint64_t upcri_atomic_at(const char *function, void *ptr,
                                                                     int type, int op, uint64_t a,
                                                                     uint64_t b) {
    const size_t n = type == UPCRI_ATOM_U64 || type == UPCRI_ATOM_I64 || type == UPCRI_ATOM_DOUBLE ? 8 : 4;
    const int simple = op == UPCRI_ATOM_GET || op == UPCRI_ATOM_SET;
    uint64_t old = 0;
    (void)function;
    UPCRI_CHECK_ATOMIC(function, ptr, n);
    if ((!simple && (type == UPCRI_ATOM_FLOAT || type == UPCRI_ATOM_DOUBLE)) ||
        !upcri_atomic_quick((uintptr_t)ptr, n, op, a, b, &old))
        old = upcri_atomic_private(ptr, type, op, a, b);
    return old;
}

/* Values as words and back. */
UPCRI_STATIC uint64_t upcri_float_to_word(float value) {
    uint32_t word;
    __builtin_memcpy(&word, &value, sizeof word);
    return word;
}
UPCRI_STATIC uint64_t upcri_double_to_word(double value) {
    uint64_t word;
    __builtin_memcpy(&word, &value, sizeof word);
    return word;
}
UPCRI_STATIC float upcri_word_to_float(uint64_t word) {
    const uint32_t low = (uint32_t)word;
    float value;
    __builtin_memcpy(&value, &low, sizeof value);
    return value;
}
UPCRI_STATIC double upcri_word_to_double(uint64_t word) {
    double value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}
#define UPCRI_INTEGER_TO_WORD(value) ((uint64_t)(value))
#define UPCRI_WORD_TO_INTEGER(word) (word)

/*
 * The functions of one type code and one mode. P: type of the pointer; DO(name, op, a, b): the operation on
 * `ptr`; IN, OUT: value to word and back.
 */
#define UPCRI_ATOMIC_COMMON(C, MODE, T, P, DO, IN, OUT)                                                   \
    UPCRI_STATIC T C##_read_##MODE(P ptr) { return (T)OUT(DO(#C "_read_" #MODE, UPCRI_ATOM_GET, 0, 0)); } \
    UPCRI_STATIC void C##_set_##MODE(P ptr, T val) {                                                      \
        (void)DO(#C "_set_" #MODE, UPCRI_ATOM_SET, IN(val), 0);                                           \
    }                                                                                                     \
    UPCRI_STATIC T C##_swap_##MODE(P ptr, T val) {                                                        \
        return (T)OUT(DO(#C "_swap_" #MODE, UPCRI_ATOM_SWAP, IN(val), 0));                                \
    }                                                                                                     \
    UPCRI_STATIC T C##_cswap_##MODE(P ptr, T oldval, T newval) {                                          \
        return (T)OUT(DO(#C "_cswap_" #MODE, UPCRI_ATOM_CAS, IN(oldval), IN(newval)));                    \
    }                                                                                                     \
    UPCRI_STATIC T C##_fetchadd_##MODE(P ptr, T val) {                                                    \
        return (T)OUT(DO(#C "_fetchadd_" #MODE, UPCRI_ATOM_ADD, IN(val), 0));                             \
    }
#define UPCRI_ATOMIC_BITS(C, MODE, T, P, DO)                                                     \
    UPCRI_STATIC T C##_mswap_##MODE(P ptr, T mask, T val) {                                      \
        return (T)DO(#C "_mswap_" #MODE, UPCRI_ATOM_MASKED_SWAP, (uint64_t)mask, (uint64_t)val); \
    }                                                                                            \
    UPCRI_STATIC T C##_fetchand_##MODE(P ptr, T val) {                                           \
        return (T)DO(#C "_fetchand_" #MODE, UPCRI_ATOM_AND, (uint64_t)val, 0);                   \
    }                                                                                            \
    UPCRI_STATIC T C##_fetchor_##MODE(P ptr, T val) {                                            \
        return (T)DO(#C "_fetchor_" #MODE, UPCRI_ATOM_OR, (uint64_t)val, 0);                     \
    }                                                                                            \
    UPCRI_STATIC T C##_fetchxor_##MODE(P ptr, T val) {                                           \
        return (T)DO(#C "_fetchxor_" #MODE, UPCRI_ATOM_XOR, (uint64_t)val, 0);                   \
    }                                                                                            \
    UPCRI_STATIC T C##_fetchnot_##MODE(P ptr) {                                                  \
        return (T)DO(#C "_fetchnot_" #MODE, UPCRI_ATOM_XOR, ~UINT64_C(0), 0);                    \
    }

#define UPCRI_DO32(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 0, UPCRI_ATOM_U32, op, a, b)
#define UPCRI_DO32_STRICT(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 1, UPCRI_ATOM_U32, op, a, b)
#define UPCRI_DO32_HERE(name, op, a, b) upcri_atomic_at(UPCRI_NAME(name), ptr, UPCRI_ATOM_U32, op, a, b)
#define UPCRI_DO64(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 0, UPCRI_ATOM_U64, op, a, b)
#define UPCRI_DO64_STRICT(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 1, UPCRI_ATOM_U64, op, a, b)
#define UPCRI_DO64_HERE(name, op, a, b) upcri_atomic_at(UPCRI_NAME(name), ptr, UPCRI_ATOM_U64, op, a, b)
#define UPCRI_DO_F(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 0, UPCRI_ATOM_FLOAT, op, a, b)
#define UPCRI_DO_F_STRICT(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 1, UPCRI_ATOM_FLOAT, op, a, b)
#define UPCRI_DO_F_HERE(name, op, a, b) upcri_atomic_at(UPCRI_NAME(name), ptr, UPCRI_ATOM_FLOAT, op, a, b)
#define UPCRI_DO_D(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 0, UPCRI_ATOM_DOUBLE, op, a, b)
#define UPCRI_DO_D_STRICT(name, op, a, b) upcri_atomic(UPCRI_NAME(name), ptr, 1, UPCRI_ATOM_DOUBLE, op, a, b)
#define UPCRI_DO_D_HERE(name, op, a, b) upcri_atomic_at(UPCRI_NAME(name), ptr, UPCRI_ATOM_DOUBLE, op, a, b)

#define UPCRI_ATOMIC_MODES(C, T, DO, IN, OUT)                                  \
    UPCRI_ATOMIC_COMMON(C, relaxed, T, upcr_shared_ptr_t, DO, IN, OUT)         \
    UPCRI_ATOMIC_COMMON(C, strict, T, upcr_shared_ptr_t, DO##_STRICT, IN, OUT) \
    UPCRI_ATOMIC_COMMON(C, private, T, void *, DO##_HERE, IN, OUT)
#define UPCRI_ATOMIC_INTEGER(C, T, DO)                                         \
    UPCRI_ATOMIC_MODES(C, T, DO, UPCRI_INTEGER_TO_WORD, UPCRI_WORD_TO_INTEGER) \
    UPCRI_ATOMIC_BITS(C, relaxed, T, upcr_shared_ptr_t, DO)                    \
    UPCRI_ATOMIC_BITS(C, strict, T, upcr_shared_ptr_t, DO##_STRICT)            \
    UPCRI_ATOMIC_BITS(C, private, T, void *, DO##_HERE)

UPCRI_END_C
