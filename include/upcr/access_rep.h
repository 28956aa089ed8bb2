/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of blocking accesses: translation to local addresses, single-copy atomic loads and stores of
 * 1, 2, 4 and 8 bytes, fences, and the out-of-line functions for all other cases. Nothing here is for users.
 *
 * The fast path (tests/asm counts its instructions): no call, no thread-local variable, no
 * counter. With a size that is not constant the address is translated in line, and memcpy called.
 */
#pragma once

#include "upcr/layout.h"
#include "upcr/sptr.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "register values are copied to and from memory as little-endian numbers"
#endif

UPCRI_BEGIN_C

/* Objects of every type are read and written through these: shared ones, and private ones, which may have
 * any alignment. */
typedef uint8_t __attribute__((may_alias)) upcri_shared1_t;
typedef uint16_t __attribute__((may_alias)) upcri_shared2_t;
typedef uint32_t __attribute__((may_alias)) upcri_shared4_t;
typedef uint64_t __attribute__((may_alias)) upcri_shared8_t;
typedef uint8_t __attribute__((may_alias)) upcri_private1_t;
typedef uint16_t __attribute__((may_alias, aligned(1))) upcri_private2_t;
typedef uint32_t __attribute__((may_alias, aligned(1))) upcri_private4_t;
typedef uint64_t __attribute__((may_alias, aligned(1))) upcri_private8_t;

/* A size for which one instruction does the access. */
#define UPCRI_ONE_WORD(n) (__builtin_constant_p(n) && ((n) == 1 || (n) == 2 || (n) == 4 || (n) == 8))

/* ---- Address translation ----
 *
 * The functions below take either kind of pointer as upcr_shared_ptr_t, and a constant that is 1 if it has a
 * phase to drop. Pointer and offset are not added until the object is found, and are passed to the
 * out-of-line functions in the registers in which they were received: else the fast path has additional
 * moves.
 */

/* Non-zero if the object is mapped in this process; *address is its local address, otherwise 0: nobody uses it then, but
 * gcc does not always see that, and would warn about it in the program's functions. With a constant offset, as of a
 * member, p alone is tested, since the object is of p's thread: once for accesses at several offsets from it. (With
 * others the sum is tested, which takes an instruction less.) */
UPCRI_STATIC int upcri_find(upcr_shared_ptr_t p, ptrdiff_t offset, int phased, uintptr_t *address) {
#ifdef UPCRI_POINTER_packed
    const uint64_t tested = __builtin_constant_p(offset) ? p : p + (uint64_t)offset;
    const uint64_t q = (phased ? upcri_drop_phase(tested) : tested) - upcri_reach.first;
    *address = 0;
    if (UPCRI_UNLIKELY(q >= upcri_reach.span)) return 0;
    *address = upcri_window.base + q + (uintptr_t)(__builtin_constant_p(offset) ? offset : 0);
#else
    const uintptr_t base = upcri_window.bases[p.s_thread];
    (void)phased;
    *address = 0;
    if (UPCRI_UNLIKELY(base == 0)) return 0;
    *address = base + p.s_addr + (uintptr_t)offset;
#endif
    return 1;
}

/* Given the address of a mapped object: non-zero if the object of the same thread that is `distance` bytes behind
 * it is mapped too. */
UPCRI_STATIC int upcri_reaches(uintptr_t address, ptrdiff_t distance) {
#ifdef UPCRI_POINTER_packed
    return address + (uintptr_t)distance - upcri_window.base < upcri_reach.span;
#else
    (void)address, (void)distance;
    return 1;
#endif
}

/* ---- Shared memory: one access, relaxed. n is a constant 1, 2, 4 or 8. ---- */

UPCRI_STATIC void upcri_store(uintptr_t address, upcr_register_value_t value, size_t n) {
    switch (n) {
    case 1: __atomic_store_n((upcri_shared1_t *)address, (uint8_t)value, __ATOMIC_RELAXED); break;
    case 2: __atomic_store_n((upcri_shared2_t *)address, (uint16_t)value, __ATOMIC_RELAXED); break;
    case 4: __atomic_store_n((upcri_shared4_t *)address, (uint32_t)value, __ATOMIC_RELAXED); break;
    default: __atomic_store_n((upcri_shared8_t *)address, value, __ATOMIC_RELAXED); break;
    }
}
UPCRI_STATIC upcr_register_value_t upcri_load(uintptr_t address, size_t n) {
    switch (n) {
    case 1: return __atomic_load_n((const upcri_shared1_t *)address, __ATOMIC_RELAXED);
    case 2: return __atomic_load_n((const upcri_shared2_t *)address, __ATOMIC_RELAXED);
    case 4: return __atomic_load_n((const upcri_shared4_t *)address, __ATOMIC_RELAXED);
    default: return __atomic_load_n((const upcri_shared8_t *)address, __ATOMIC_RELAXED);
    }
}

/* ---- Private memory, any alignment. n is a constant 1, 2, 4 or 8. ---- */

UPCRI_STATIC upcr_register_value_t upcri_load_private(const void *src, size_t n) {
    switch (n) {
    case 1: return *(const upcri_private1_t *)src;
    case 2: return *(const upcri_private2_t *)src;
    case 4: return *(const upcri_private4_t *)src;
    default: return *(const upcri_private8_t *)src;
    }
}
UPCRI_STATIC void upcri_store_private(void *dst, upcr_register_value_t value, size_t n) {
    switch (n) {
    case 1: *(upcri_private1_t *)dst = (uint8_t)value; break;
    case 2: *(upcri_private2_t *)dst = (uint16_t)value; break;
    case 4: *(upcri_private4_t *)dst = (uint32_t)value; break;
    default: *(upcri_private8_t *)dst = value; break;
    }
}

/* ---- Strict accesses: [before] access [after], ordered with all accesses around them ----
 *
 * A full fence on each side is correct on every processor. x86 does not reorder loads with loads, nor stores
 * with earlier accesses: there, only a store that is followed by a load needs a fence, so the one after each
 * strict put and the one before each strict get are enough. Thread sanitizer understands no fences:
 * sequentially consistent accesses to an object of our own stand for them.
 */
#if defined(__SANITIZE_THREAD__)
#define UPCRI_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UPCRI_TSAN 1
#endif
#endif
extern UPCRI_API int upcri_fence_order;
UPCRI_STATIC void upcri_fence(void) {
#ifdef UPCRI_TSAN
    (void)__atomic_fetch_add(&upcri_fence_order, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
UPCRI_STATIC void upcri_compiler_fence(void) { __asm__ volatile("" ::: "memory"); }
#if (defined(__x86_64__) || defined(__i386__)) && !defined(UPCRI_TSAN)
#define UPCRI_FENCE_BEFORE_PUT() upcri_compiler_fence()
#define UPCRI_FENCE_AFTER_GET() upcri_compiler_fence()
#else
#define UPCRI_FENCE_BEFORE_PUT() upcri_fence()
#define UPCRI_FENCE_AFTER_GET() upcri_fence()
#endif
#define UPCRI_FENCE_AFTER_PUT() upcri_fence()
#define UPCRI_FENCE_BEFORE_GET() upcri_fence()

/* A thread that spins on a strict variable of its own must still serve the network. */
UPCRI_API void upcri_strict_poll(void) UPCRI_COLD;
UPCRI_STATIC void upcri_before_strict_get(void) {
    if (UPCRI_UNLIKELY(upcri_window.strict_polls)) upcri_strict_poll();
    UPCRI_FENCE_BEFORE_GET();
}

/* ---- Out of line: any address, any size, blocking. Values travel by value: a variable whose address is
 * passed would be in memory on the fast path too. Values: 0 < n <= 8. ---- */
UPCRI_API void upcri_put_val_far(upcr_pshared_ptr_t dest, ptrdiff_t offset, upcr_register_value_t value,
                                 size_t n) UPCRI_COLD;
UPCRI_API upcr_register_value_t upcri_get_val_far(upcr_pshared_ptr_t src, ptrdiff_t offset,
                                                  size_t n) UPCRI_COLD;
UPCRI_API void upcri_get_far(void *dest, upcr_pshared_ptr_t src, ptrdiff_t offset, size_t n) UPCRI_COLD;
UPCRI_API void upcri_put_any(upcr_pshared_ptr_t dest, ptrdiff_t offset, const void *src, size_t n) UPCRI_COLD;
UPCRI_API void upcri_get_any(void *dest, upcr_pshared_ptr_t src, ptrdiff_t offset, size_t n) UPCRI_COLD;

/* ---- Many bytes, both ends mapped here ----
 *
 * memcpy, except for sizes that must be single accesses and for those that should bypass the
 * caches: these two are done by the library (atomic_copy).
 */
#define UPCRI_COPY_WORD 8            /* the longest single access */
#define UPCRI_COPY_STREAM (8u << 20) /* from here on the library decides */
UPCRI_API void upcri_copy_far(void *dst, const void *src, size_t n) UPCRI_COLD;
UPCRI_STATIC void upcri_copy(void *dst, const void *src, size_t n) {
    if ((__builtin_constant_p(n) && n < UPCRI_COPY_WORD && !UPCRI_ONE_WORD(n)) ||
        UPCRI_LIKELY(n - (UPCRI_COPY_WORD + 1) < UPCRI_COPY_STREAM - (UPCRI_COPY_WORD + 1))) {
        /* A compiler that knows n to be more than a word here would warn of objects of one word. */
        if (!__builtin_constant_p(n)) __asm__("" : "+r"(n));
        __builtin_memcpy(dst, src, n);
    } else {
        upcri_copy_far(dst, src, n);
    }
}

/* ---- The four accesses that all public functions call ---- */

UPCRI_STATIC void upcri_put_val(upcr_shared_ptr_t dest, ptrdiff_t offset, int phased,
                                upcr_register_value_t value, size_t n) {
    uintptr_t address;
    if (UPCRI_ONE_WORD(n) && upcri_find(dest, offset, phased, &address))
        upcri_store(address, value, n);
    else
        upcri_put_val_far(upcri_drop_phase(dest), offset, value, n);
}
UPCRI_STATIC upcr_register_value_t upcri_get_val(upcr_shared_ptr_t src, ptrdiff_t offset, int phased,
                                                 size_t n) {
    uintptr_t address;
    if (UPCRI_ONE_WORD(n) && upcri_find(src, offset, phased, &address)) return upcri_load(address, n);
    return upcri_get_val_far(upcri_drop_phase(src), offset, n);
}
UPCRI_STATIC void upcri_put(upcr_shared_ptr_t dest, ptrdiff_t offset, int phased, const void *src, size_t n) {
    uintptr_t address;
    if (UPCRI_ONE_WORD(n)) {
        upcri_put_val(dest, offset, phased, upcri_load_private(src, n), n);
    } else if (upcri_find(dest, offset, phased, &address)) {
        upcri_copy((void *)address, src, n);
        upcri_compiler_fence(); /* a loop that waits for shared memory reads it again */
    } else {
        upcri_put_any(upcri_drop_phase(dest), offset, src, n);
    }
}
UPCRI_STATIC void upcri_get(void *dest, upcr_shared_ptr_t src, ptrdiff_t offset, int phased, size_t n) {
    uintptr_t address;
    if (UPCRI_ONE_WORD(n)) {
        if (upcri_find(src, offset, phased, &address))
            upcri_store_private(dest, upcri_load(address, n), n);
        else if (__builtin_object_size(dest, 0) == (size_t)-1) /* not a local variable of the caller */
            upcri_get_far(dest, upcri_drop_phase(src), offset, n);
        else
            upcri_store_private(dest, upcri_get_val_far(upcri_drop_phase(src), offset, n), n);
    } else if (upcri_find(src, offset, phased, &address)) {
        upcri_compiler_fence();
        upcri_copy(dest, (const void *)address, n);
    } else {
        upcri_get_any(dest, upcri_drop_phase(src), offset, n);
    }
}

/* ---- Debug: fatal, naming function, pointer and size, on an invalid access. `how`: bits below. ---- */
#define UPCRI_ACCESS_VALUE 1  /* a register's: 1 to 8 bytes, aligned when 2, 4 or 8 */
#define UPCRI_ACCESS_STRICT 2 /* no non-blocking scalar operation may be pending */
#if UPCR_DEBUG
UPCRI_API void upcri_check_access(const char *function, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n,
                                  int how);
UPCRI_API void upcri_check_private(const char *function, const void *p, size_t n);
#define UPCRI_CHECK_ACCESS(function, p, offset, n, how) upcri_check_access(function, p, offset, n, how)
#define UPCRI_CHECK_PRIVATE(function, p, n) upcri_check_private(function, p, n)
#else
#define UPCRI_CHECK_ACCESS(function, p, offset, n, how) ((void)0)
#define UPCRI_CHECK_PRIVATE(function, p, n) ((void)0)
#endif

UPCRI_END_C
