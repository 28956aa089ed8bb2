/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking access to shared memory, between memory and memory and by type (specification 3.5, "Shared
 * Memory Accesses", "Blocking memory-to-memory puts and gets"; the typed forms since 3.7).
 *
 *   dest, src     the shared object; a byte offset of either sign is added to it
 *   nbytes        size, 0 or more; a constant where possible. The range stays inside one block
 *   src, dest     private memory of nbytes bytes
 *
 * Complete on return: a put is visible to every thread, a get has the data. Alignment: that of an object of
 * nbytes bytes. Aligned accesses of 1, 2, 4 and 8 bytes are single-copy atomic (UPCR_ATOMIC_MEMSIZE). The
 * two ranges may coincide but not overlap otherwise.
 * Relaxed, except the _strict forms: those wait for the caller's earlier accesses, come before its later
 * ones, and all threads agree on their order. No non-blocking scalar operation (nb.h) may be pending.
 * UPC threads, not in an AM handler. Serves other threads only when it waits, and in strict gets when
 * there is a network.  Debug, fatal: a null pointer, an address outside the owner's
 * segment, a thread that does not exist; the message names the function, the pointer and the size.
 */
#pragma once
#include "upcr/access_rep.h"

UPCRI_BEGIN_C

/* Private memory to shared memory. */
UPCRI_STATIC void upcr_put_shared(upcr_shared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                  size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_shared", dest, destoffset, nbytes, 0);
    UPCRI_CHECK_PRIVATE("upcr_put_shared", src, nbytes);
    upcri_put(dest, destoffset, 1, src, nbytes);
}
UPCRI_STATIC void upcr_put_pshared(upcr_pshared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                   size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared", upcri_with_phase(dest, 0), destoffset, nbytes, 0);
    UPCRI_CHECK_PRIVATE("upcr_put_pshared", src, nbytes);
    upcri_put(upcri_with_phase(dest, 0), destoffset, 0, src, nbytes);
}

/* Shared memory to private memory. */
UPCRI_STATIC void upcr_get_shared(void *dest, upcr_shared_ptr_t src, ptrdiff_t srcoffset, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_get_shared", src, srcoffset, nbytes, 0);
    UPCRI_CHECK_PRIVATE("upcr_get_shared", dest, nbytes);
    upcri_get(dest, src, srcoffset, 1, nbytes);
}
UPCRI_STATIC void upcr_get_pshared(void *dest, upcr_pshared_ptr_t src, ptrdiff_t srcoffset, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_get_pshared", upcri_with_phase(src, 0), srcoffset, nbytes, 0);
    UPCRI_CHECK_PRIVATE("upcr_get_pshared", dest, nbytes);
    upcri_get(dest, upcri_with_phase(src, 0), srcoffset, 0, nbytes);
}

/* The same, strict. */
UPCRI_STATIC void upcr_put_shared_strict(upcr_shared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                         size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_shared_strict", dest, destoffset, nbytes, UPCRI_ACCESS_STRICT);
    UPCRI_CHECK_PRIVATE("upcr_put_shared_strict", src, nbytes);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put(dest, destoffset, 1, src, nbytes);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC void upcr_put_pshared_strict(upcr_pshared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                          size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared_strict", upcri_with_phase(dest, 0), destoffset, nbytes,
                       UPCRI_ACCESS_STRICT);
    UPCRI_CHECK_PRIVATE("upcr_put_pshared_strict", src, nbytes);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put(upcri_with_phase(dest, 0), destoffset, 0, src, nbytes);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC void upcr_get_shared_strict(void *dest, upcr_shared_ptr_t src, ptrdiff_t srcoffset,
                                         size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_get_shared_strict", src, srcoffset, nbytes, UPCRI_ACCESS_STRICT);
    UPCRI_CHECK_PRIVATE("upcr_get_shared_strict", dest, nbytes);
    upcri_before_strict_get();
    upcri_get(dest, src, srcoffset, 1, nbytes);
    UPCRI_FENCE_AFTER_GET();
}
UPCRI_STATIC void upcr_get_pshared_strict(void *dest, upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                          size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_get_pshared_strict", upcri_with_phase(src, 0), srcoffset, nbytes,
                       UPCRI_ACCESS_STRICT);
    UPCRI_CHECK_PRIVATE("upcr_get_pshared_strict", dest, nbytes);
    upcri_before_strict_get();
    upcri_get(dest, upcri_with_phase(src, 0), srcoffset, 0, nbytes);
    UPCRI_FENCE_AFTER_GET();
}

UPCRI_END_C

/*
 * By type: statements. The put converts the expression `value` to TYPE as an initialisation does; the get
 * assigns to the lvalue `dest`. TYPE is no array. Each argument is evaluated once.
 */
#define upcr_put_shared_type(dest, destoffset, value, TYPE)            \
    do {                                                               \
        TYPE upcri_typed = (value);                                    \
        upcr_put_shared(dest, destoffset, &upcri_typed, sizeof(TYPE)); \
    } while (0)
#define upcr_get_shared_type(dest, src, srcoffset, TYPE)             \
    do {                                                             \
        TYPE upcri_typed;                                            \
        upcr_get_shared(&upcri_typed, src, srcoffset, sizeof(TYPE)); \
        (dest) = upcri_typed;                                        \
    } while (0)
#define upcr_put_pshared_type(dest, destoffset, value, TYPE)            \
    do {                                                                \
        TYPE upcri_typed = (value);                                     \
        upcr_put_pshared(dest, destoffset, &upcri_typed, sizeof(TYPE)); \
    } while (0)
#define upcr_get_pshared_type(dest, src, srcoffset, TYPE)             \
    do {                                                              \
        TYPE upcri_typed;                                             \
        upcr_get_pshared(&upcri_typed, src, srcoffset, sizeof(TYPE)); \
        (dest) = upcri_typed;                                         \
    } while (0)
#define upcr_put_shared_type_strict(dest, destoffset, value, TYPE)            \
    do {                                                                      \
        TYPE upcri_typed = (value);                                           \
        upcr_put_shared_strict(dest, destoffset, &upcri_typed, sizeof(TYPE)); \
    } while (0)
#define upcr_get_shared_type_strict(dest, src, srcoffset, TYPE)             \
    do {                                                                    \
        TYPE upcri_typed;                                                   \
        upcr_get_shared_strict(&upcri_typed, src, srcoffset, sizeof(TYPE)); \
        (dest) = upcri_typed;                                               \
    } while (0)
#define upcr_put_pshared_type_strict(dest, destoffset, value, TYPE)            \
    do {                                                                       \
        TYPE upcri_typed = (value);                                            \
        upcr_put_pshared_strict(dest, destoffset, &upcri_typed, sizeof(TYPE)); \
    } while (0)
#define upcr_get_pshared_type_strict(dest, src, srcoffset, TYPE)             \
    do {                                                                     \
        TYPE upcri_typed;                                                    \
        upcr_get_pshared_strict(&upcri_typed, src, srcoffset, sizeof(TYPE)); \
        (dest) = upcri_typed;                                                \
    } while (0)
