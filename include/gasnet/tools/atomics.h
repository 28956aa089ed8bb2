/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: atomic integers of one process, six families:
 *   atomic, atomic32, atomic64                    atomic between threads; in builds without threads they are
 *                                                 plain, and not for signal handlers
 *   strongatomic, strongatomic32, strongatomic64  always atomic, also against signal handlers
 * For each family X, with V = gasnett_X_val_t (uint32_t of atomic and atomic32, uint64_t of atomic64), p a
 * pointer to gasnett_X_t and f fence flags:
 *
 *   gasnett_X_init(V v)                                  initialiser: gasnett_X_t a = gasnett_X_init(1);
 *   V gasnett_X_read(p, f)
 *   void gasnett_X_set(p, V v, f)
 *   void gasnett_X_increment(p, f)
 *   void gasnett_X_decrement(p, f)
 *   int gasnett_X_decrement_and_test(p, f)               non-zero: it is 0 now
 *   int gasnett_X_compare_and_swap(p, V old, V new, f)   non-zero: it was `old` and is `new` now
 *   V gasnett_X_swap(p, V v, f)                          the value before
 *   V gasnett_X_add(p, V v, f)                           the value after, as
 *   V gasnett_X_subtract(p, V v, f)
 *
 * Values wrap around. The types have the size and alignment of the plain integer and may lie over storage that
 * was declared as another type (an integer of either sign, a float, a double).
 */
#pragma once
#include "gasnet/tools/membars.h"

/* Fence flags, to be or-ed; PRE: before the operation, POST: behind it. IF_TRUE, IF_FALSE: by the result of
 * compare_and_swap or decrement_and_test. */
#define GASNETT_ATOMIC_NONE 0x00
#define GASNETT_ATOMIC_RMB_PRE 0x01
#define GASNETT_ATOMIC_WMB_PRE 0x02
#define GASNETT_ATOMIC_RMB_POST 0x04
#define GASNETT_ATOMIC_WMB_POST 0x08
#define GASNETT_ATOMIC_RMB_POST_IF_TRUE 0x10
#define GASNETT_ATOMIC_RMB_POST_IF_FALSE 0x20
#define GASNETT_ATOMIC_MB_PRE (GASNETT_ATOMIC_RMB_PRE | GASNETT_ATOMIC_WMB_PRE)
#define GASNETT_ATOMIC_MB_POST (GASNETT_ATOMIC_RMB_POST | GASNETT_ATOMIC_WMB_POST)
#define GASNETT_ATOMIC_REL GASNETT_ATOMIC_WMB_PRE
#define GASNETT_ATOMIC_ACQ GASNETT_ATOMIC_RMB_POST
#define GASNETT_ATOMIC_ACQ_IF_TRUE GASNETT_ATOMIC_RMB_POST_IF_TRUE
#define GASNETT_ATOMIC_ACQ_IF_FALSE GASNETT_ATOMIC_RMB_POST_IF_FALSE

/* Every family has every operation. */
#define GASNETT_HAVE_ATOMIC_CAS 1
#define GASNETT_HAVE_ATOMIC_ADD_SUB 1
#define GASNETT_HAVE_STRONGATOMIC_CAS 1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1

/* The value of a gasnett_atomic_t, and the same with a sign. */
#define GASNETT_ATOMIC_MAX ((gasnett_atomic_val_t)0xFFFFFFFFU)
#define GASNETT_ATOMIC_SIGNED_MIN ((gasnett_atomic_sval_t)(-0x7FFFFFFF - 1))
#define GASNETT_ATOMIC_SIGNED_MAX ((gasnett_atomic_sval_t)0x7FFFFFFF)
#define gasnett_atomic_signed(v) ((gasnett_atomic_sval_t)(gasnett_atomic_val_t)(v))
#define GASNETT_STRONGATOMIC_MAX GASNETT_ATOMIC_MAX
#define GASNETT_STRONGATOMIC_SIGNED_MIN GASNETT_ATOMIC_SIGNED_MIN
#define GASNETT_STRONGATOMIC_SIGNED_MAX GASNETT_ATOMIC_SIGNED_MAX
#define gasnett_strongatomic_signed(v) gasnett_atomic_signed(v)

#define gasnett_atomic_init(v) \
    { (uint32_t)(v) }
#define gasnett_atomic32_init(v) \
    { (uint32_t)(v) }
#define gasnett_atomic64_init(v) \
    { (uint64_t)(v) }
#define gasnett_strongatomic_init(v) \
    { (uint32_t)(v) }
#define gasnett_strongatomic32_init(v) \
    { (uint32_t)(v) }
#define gasnett_strongatomic64_init(v) \
    { (uint64_t)(v) }

GASNETT_BEGIN_EXTERNC

/* The fences of loads and stores. Flags are nearly always literals, so that one line of this remains. */
GASNETT_ALWAYS_INLINE(gasnetti_fence_pre) void gasnetti_fence_pre(int flags) {
    if ((flags & GASNETT_ATOMIC_MB_PRE) == GASNETT_ATOMIC_MB_PRE)
        gasnett_local_mb();
    else if (flags & GASNETT_ATOMIC_RMB_PRE)
        gasnett_local_rmb();
    else if (flags & GASNETT_ATOMIC_WMB_PRE)
        gasnett_local_wmb();
}
GASNETT_ALWAYS_INLINE(gasnetti_fence_post) void gasnetti_fence_post(int flags) {
    if ((flags & GASNETT_ATOMIC_MB_POST) == GASNETT_ATOMIC_MB_POST)
        gasnett_local_mb();
    else if (flags & GASNETT_ATOMIC_RMB_POST)
        gasnett_local_rmb();
    else if (flags & GASNETT_ATOMIC_WMB_POST)
        gasnett_local_wmb();
}
/* The same around a locked read-modify-write, which on x86 is a full fence already. */
#if defined(__x86_64__) || defined(__i386__)
#define GASNETTI_RMW_PRE(flags) ((void)(flags))
#define GASNETTI_RMW_POST(flags) ((void)0)
#define GASNETTI_RMW_TEST(result, flags) ((void)0)
#define GASNETTI_RMW_ORDER __ATOMIC_SEQ_CST
#else
#define GASNETTI_RMW_PRE(flags) gasnetti_fence_pre(flags)
#define GASNETTI_RMW_POST(flags) gasnetti_fence_post(flags)
#define GASNETTI_RMW_TEST(result, flags)                                                               \
    do {                                                                                               \
        if ((flags) & ((result) ? GASNETT_ATOMIC_RMB_POST_IF_TRUE : GASNETT_ATOMIC_RMB_POST_IF_FALSE)) \
            gasnett_local_rmb();                                                                       \
    } while (0)
#define GASNETTI_RMW_ORDER __ATOMIC_RELAXED
#endif

/* Over storage that was declared as something else. */
typedef uint32_t __attribute__((__may_alias__)) gasnetti_word_uint32_t;
typedef uint64_t __attribute__((__may_alias__)) gasnetti_word_uint64_t;

/* One family: X, and S = uint32_t or uint64_t. */
#define GASNETTI_ATOMIC_TYPE(X, S, SIGNED)         \
    typedef S gasnett_##X##_val_t;                 \
    typedef SIGNED gasnett_##X##_sval_t;           \
    typedef struct {                               \
        volatile gasnetti_word_##S gasnetti_value; \
    } __attribute__((__may_alias__)) gasnett_##X##_t;

#define GASNETTI_ATOMIC_LOAD_STORE(X, S)                                                                 \
    GASNETT_ALWAYS_INLINE(read) S gasnett_##X##_read(const volatile gasnett_##X##_t *p, int flags) {     \
        S value;                                                                                         \
        gasnetti_fence_pre(flags);                                                                       \
        value = __atomic_load_n(&p->gasnetti_value, __ATOMIC_RELAXED);                                   \
        gasnetti_fence_post(flags);                                                                      \
        return value;                                                                                    \
    }                                                                                                    \
    GASNETT_ALWAYS_INLINE(set) void gasnett_##X##_set(volatile gasnett_##X##_t *p, S value, int flags) { \
        gasnetti_fence_pre(flags);                                                                       \
        __atomic_store_n(&p->gasnetti_value, value, __ATOMIC_RELAXED);                                   \
        gasnetti_fence_post(flags);                                                                      \
    }

#define GASNETTI_ATOMIC_REAL(X, S)                                                                       \
    GASNETT_ALWAYS_INLINE(add) S gasnett_##X##_add(volatile gasnett_##X##_t *p, S value, int flags) {    \
        S after;                                                                                         \
        GASNETTI_RMW_PRE(flags);                                                                         \
        after = __atomic_add_fetch(&p->gasnetti_value, value, GASNETTI_RMW_ORDER);                       \
        GASNETTI_RMW_POST(flags);                                                                        \
        return after;                                                                                    \
    }                                                                                                    \
    GASNETT_ALWAYS_INLINE(swap) S gasnett_##X##_swap(volatile gasnett_##X##_t *p, S value, int flags) {  \
        S before;                                                                                        \
        GASNETTI_RMW_PRE(flags);                                                                         \
        before = __atomic_exchange_n(&p->gasnetti_value, value, GASNETTI_RMW_ORDER);                     \
        GASNETTI_RMW_POST(flags);                                                                        \
        return before;                                                                                   \
    }                                                                                                    \
    GASNETT_ALWAYS_INLINE(compare_and_swap)                                                              \
    int gasnett_##X##_compare_and_swap(volatile gasnett_##X##_t *p, S before, S after, int flags) {      \
        int swapped;                                                                                     \
        GASNETTI_RMW_PRE(flags);                                                                         \
        swapped = __atomic_compare_exchange_n(&p->gasnetti_value, &before, after, 0, GASNETTI_RMW_ORDER, \
                                              GASNETTI_RMW_ORDER);                                       \
        GASNETTI_RMW_TEST(swapped, flags);                                                               \
        GASNETTI_RMW_POST(flags);                                                                        \
        return swapped;                                                                                  \
    }                                                                                                    \
    GASNETT_ALWAYS_INLINE(decrement_and_test)                                                            \
    int gasnett_##X##_decrement_and_test(volatile gasnett_##X##_t *p, int flags) {                       \
        int zero;                                                                                        \
        GASNETTI_RMW_PRE(flags);                                                                         \
        zero = __atomic_sub_fetch(&p->gasnetti_value, 1, GASNETTI_RMW_ORDER) == 0;                       \
        GASNETTI_RMW_TEST(zero, flags);                                                                  \
        GASNETTI_RMW_POST(flags);                                                                        \
        return zero;                                                                                     \
    }

/* Without threads: fences for the compiler, and nothing that needs the bus. */
#define GASNETTI_ATOMIC_PLAIN(X, S)                                                                     \
    GASNETT_ALWAYS_INLINE(add) S gasnett_##X##_add(volatile gasnett_##X##_t *p, S value, int flags) {   \
        const S after = (S)(p->gasnetti_value + value);                                                 \
        (void)flags;                                                                                    \
        gasnett_compiler_fence();                                                                       \
        p->gasnetti_value = after;                                                                      \
        gasnett_compiler_fence();                                                                       \
        return after;                                                                                   \
    }                                                                                                   \
    GASNETT_ALWAYS_INLINE(swap) S gasnett_##X##_swap(volatile gasnett_##X##_t *p, S value, int flags) { \
        const S before = p->gasnetti_value;                                                             \
        (void)flags;                                                                                    \
        gasnett_compiler_fence();                                                                       \
        p->gasnetti_value = value;                                                                      \
        gasnett_compiler_fence();                                                                       \
        return before;                                                                                  \
    }                                                                                                   \
    GASNETT_ALWAYS_INLINE(compare_and_swap)                                                             \
    int gasnett_##X##_compare_and_swap(volatile gasnett_##X##_t *p, S before, S after, int flags) {     \
        const int swapped = p->gasnetti_value == before;                                                \
        (void)flags;                                                                                    \
        gasnett_compiler_fence();                                                                       \
        if (swapped) p->gasnetti_value = after;                                                         \
        gasnett_compiler_fence();                                                                       \
        return swapped;                                                                                 \
    }                                                                                                   \
    GASNETT_ALWAYS_INLINE(decrement_and_test)                                                           \
    int gasnett_##X##_decrement_and_test(volatile gasnett_##X##_t *p, int flags) {                      \
        return gasnett_##X##_add(p, (S)-1, flags) == 0;                                                 \
    }

#define GASNETTI_ATOMIC_DERIVED(X, S)                                                                       \
    GASNETT_ALWAYS_INLINE(subtract)                                                                         \
    S gasnett_##X##_subtract(volatile gasnett_##X##_t *p, S value, int flags) {                             \
        return gasnett_##X##_add(p, (S)(0 - value), flags);                                                 \
    }                                                                                                       \
    GASNETT_ALWAYS_INLINE(increment) void gasnett_##X##_increment(volatile gasnett_##X##_t *p, int flags) { \
        (void)gasnett_##X##_add(p, 1, flags);                                                               \
    }                                                                                                       \
    GASNETT_ALWAYS_INLINE(decrement) void gasnett_##X##_decrement(volatile gasnett_##X##_t *p, int flags) { \
        (void)gasnett_##X##_add(p, (S)-1, flags);                                                           \
    }

#define GASNETTI_ATOMIC_FAMILY(X, S, SIGNED, KIND) \
    GASNETTI_ATOMIC_TYPE(X, S, SIGNED)             \
    GASNETTI_ATOMIC_LOAD_STORE(X, S)               \
    GASNETTI_ATOMIC_##KIND(X, S) GASNETTI_ATOMIC_DERIVED(X, S)

#ifdef GASNETT_THREAD_SAFE
#define GASNETTI_ATOMIC_WEAK(X, S, SIGNED) GASNETTI_ATOMIC_FAMILY(X, S, SIGNED, REAL)
#else
#define GASNETTI_ATOMIC_WEAK(X, S, SIGNED) GASNETTI_ATOMIC_FAMILY(X, S, SIGNED, PLAIN)
#endif

GASNETTI_ATOMIC_WEAK(atomic, uint32_t, int32_t)
GASNETTI_ATOMIC_WEAK(atomic32, uint32_t, int32_t)
GASNETTI_ATOMIC_WEAK(atomic64, uint64_t, int64_t)
GASNETTI_ATOMIC_FAMILY(strongatomic, uint32_t, int32_t, REAL)
GASNETTI_ATOMIC_FAMILY(strongatomic32, uint32_t, int32_t, REAL)
GASNETTI_ATOMIC_FAMILY(strongatomic64, uint64_t, int64_t, REAL)

GASNETT_END_EXTERNC
