/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-blocking scalar access with explicit and implicit handles, access regions (specification 3.5,
 * "Non-blocking operations", "Explicit handle synchronization", "Implicit handle"; value forms since 3.0).
 *
 *   dest, src     the shared object; a byte offset of either sign is added to it
 *   nbytes        size in bytes; a constant where possible; 1 to 8 for the _val forms
 *
 * The calls start an operation, which is complete when it has been synchronised: a put is then visible to
 * every thread, a get has its data. The source of a put may be reused on return; that of a get must not
 * change, and its destination must not be used, before. Any number may be pending. An explicit operation
 * returns a handle, UPCR_INVALID_HANDLE (all zero) when it was complete at once; it must be synchronised
 * exactly once, by the thread that issued it. Implicit ones are synchronised all together.
 * Strict forms: only one may be pending, and no other access may start or end meanwhile.
 *
 * UPC threads, not in an AM handler. The calls that wait or try serve other threads, the others only when
 * the network is full. Debug: a handle of another thread, synchronised twice or never (reported when the
 * program ends), misuse of strict forms and of regions are fatal; never synchronised is a warning. The
 * message has the position at which the operation was started.
 */
#pragma once
#include "upcr/nb_rep.h"

UPCRI_BEGIN_C

/* ---- Explicit handles: start ---- */

UPCRI_STATIC upcr_handle_t upcr_put_nb_shared(upcr_shared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                              size_t nbytes) {
    if (upcri_put_now(dest, destoffset, 1, src, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_put_nb(UPCRI_NAME("upcr_put_nb_shared"), dest, destoffset, src, nbytes, 0);
}
UPCRI_STATIC upcr_handle_t upcr_put_nb_pshared(upcr_pshared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                               size_t nbytes) {
    if (upcri_put_now(upcri_with_phase(dest, 0), destoffset, 0, src, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_put_nb(UPCRI_NAME("upcr_put_nb_pshared"), upcri_with_phase(dest, 0), destoffset, src, nbytes,
                        0);
}
UPCRI_STATIC upcr_handle_t upcr_get_nb_shared(void *dest, upcr_shared_ptr_t src, ptrdiff_t srcoffset,
                                              size_t nbytes) {
    if (upcri_get_now(dest, src, srcoffset, 1, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_get_nb(UPCRI_NAME("upcr_get_nb_shared"), dest, src, srcoffset, nbytes, UPCRI_NB_GET);
}
UPCRI_STATIC upcr_handle_t upcr_get_nb_pshared(void *dest, upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                               size_t nbytes) {
    if (upcri_get_now(dest, upcri_with_phase(src, 0), srcoffset, 0, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_get_nb(UPCRI_NAME("upcr_get_nb_pshared"), dest, upcri_with_phase(src, 0), srcoffset, nbytes,
                        UPCRI_NB_GET);
}
/* The low 8 * nbytes bits of a value. */
UPCRI_STATIC upcr_handle_t upcr_put_nb_shared_val(upcr_shared_ptr_t dest, ptrdiff_t destoffset,
                                                  upcr_register_value_t value, size_t nbytes) {
    if (upcri_put_val_now(dest, destoffset, 1, value, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_put_val_nb(UPCRI_NAME("upcr_put_nb_shared_val"), dest, destoffset, value, nbytes,
                            UPCRI_NB_VALUE);
}
UPCRI_STATIC upcr_handle_t upcr_put_nb_pshared_val(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                                   upcr_register_value_t value, size_t nbytes) {
    if (upcri_put_val_now(upcri_with_phase(dest, 0), destoffset, 0, value, nbytes))
        return UPCR_INVALID_HANDLE;
    return upcri_put_val_nb(UPCRI_NAME("upcr_put_nb_pshared_val"), upcri_with_phase(dest, 0), destoffset,
                            value, nbytes, UPCRI_NB_VALUE);
}

/* Strict. */
UPCRI_STATIC upcr_handle_t upcr_put_nb_shared_strict(upcr_shared_ptr_t dest, ptrdiff_t destoffset,
                                                     const void *src, size_t nbytes) {
    return upcri_put_nb(UPCRI_NAME("upcr_put_nb_shared_strict"), dest, destoffset, src, nbytes,
                        UPCRI_NB_STRICT);
}
UPCRI_STATIC upcr_handle_t upcr_put_nb_pshared_strict(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                                      const void *src, size_t nbytes) {
    return upcri_put_nb(UPCRI_NAME("upcr_put_nb_pshared_strict"), upcri_with_phase(dest, 0), destoffset, src,
                        nbytes, UPCRI_NB_STRICT);
}
UPCRI_STATIC upcr_handle_t upcr_get_nb_shared_strict(void *dest, upcr_shared_ptr_t src, ptrdiff_t srcoffset,
                                                     size_t nbytes) {
    return upcri_get_nb(UPCRI_NAME("upcr_get_nb_shared_strict"), dest, src, srcoffset, nbytes,
                        UPCRI_NB_GET | UPCRI_NB_STRICT);
}
UPCRI_STATIC upcr_handle_t upcr_get_nb_pshared_strict(void *dest, upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                                      size_t nbytes) {
    return upcri_get_nb(UPCRI_NAME("upcr_get_nb_pshared_strict"), dest, upcri_with_phase(src, 0), srcoffset,
                        nbytes, UPCRI_NB_GET | UPCRI_NB_STRICT);
}
UPCRI_STATIC upcr_handle_t upcr_put_nb_shared_val_strict(upcr_shared_ptr_t dest, ptrdiff_t destoffset,
                                                         upcr_register_value_t value, size_t nbytes) {
    return upcri_put_val_nb(UPCRI_NAME("upcr_put_nb_shared_val_strict"), dest, destoffset, value, nbytes,
                            UPCRI_NB_VALUE | UPCRI_NB_STRICT);
}
UPCRI_STATIC upcr_handle_t upcr_put_nb_pshared_val_strict(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                                          upcr_register_value_t value, size_t nbytes) {
    return upcri_put_val_nb(UPCRI_NAME("upcr_put_nb_pshared_val_strict"), upcri_with_phase(dest, 0),
                            destoffset, value, nbytes, UPCRI_NB_VALUE | UPCRI_NB_STRICT);
}

/* ---- Explicit handles: synchronisation ----
 *
 * wait: returns when done. try: 1 when done, else 0; never waits. Afterwards the handle of a complete
 * operation is invalid. UPCR_INVALID_HANDLE counts as done. The _strict forms are for strict operations, and
 * only for those.
 */
UPCRI_STATIC void upcr_wait_syncnb(upcr_handle_t handle) {
    if (handle != UPCR_INVALID_HANDLE) upcri_wait_nb(UPCRI_NAME("upcr_wait_syncnb"), handle, 0);
}
UPCRI_STATIC int upcr_try_syncnb(upcr_handle_t handle) {
    return handle == UPCR_INVALID_HANDLE || upcri_try_nb(UPCRI_NAME("upcr_try_syncnb"), handle, 0);
}
UPCRI_STATIC void upcr_wait_syncnb_strict(upcr_handle_t handle) {
    if (handle != UPCR_INVALID_HANDLE)
        upcri_wait_nb(UPCRI_NAME("upcr_wait_syncnb_strict"), handle, UPCRI_NB_STRICT);
}
UPCRI_STATIC int upcr_try_syncnb_strict(upcr_handle_t handle) {
    return handle == UPCR_INVALID_HANDLE ||
           upcri_try_nb(UPCRI_NAME("upcr_try_syncnb_strict"), handle, UPCRI_NB_STRICT);
}
/*
 * Arrays of `numhandles` (0 or more) handles; entries that are UPCR_INVALID_HANDLE are ignored, and entries
 * that are done become it.
 *   all   done when every one is; the try form returns 1 then, else 0 and has marked those that are
 *   some  done when at least one is, or there is none to wait for
 */
UPCRI_STATIC void upcr_wait_syncnb_all(upcr_handle_t *ph, size_t numhandles) {
    upcri_wait_nb_all(UPCRI_NAME("upcr_wait_syncnb_all"), ph, numhandles);
}
UPCRI_STATIC int upcr_try_syncnb_all(upcr_handle_t *ph, size_t numhandles) {
    return upcri_try_nb_all(UPCRI_NAME("upcr_try_syncnb_all"), ph, numhandles);
}
UPCRI_STATIC void upcr_wait_syncnb_some(upcr_handle_t *ph, size_t numhandles) {
    upcri_wait_nb_some(UPCRI_NAME("upcr_wait_syncnb_some"), ph, numhandles);
}
UPCRI_STATIC int upcr_try_syncnb_some(upcr_handle_t *ph, size_t numhandles) {
    return upcri_try_nb_some(UPCRI_NAME("upcr_try_syncnb_some"), ph, numhandles);
}

/* ---- Gets of a value (1 to 8 bytes, filled up with zeros): each handle is given to
 * upcr_wait_syncnb_valget() exactly once, strict or not, which waits and returns the value. ---- */

UPCRI_STATIC upcr_valget_handle_t upcr_get_nb_shared_val(upcr_shared_ptr_t src, ptrdiff_t srcoffset,
                                                         size_t nbytes) {
    return upcri_get_val_nb(UPCRI_NAME("upcr_get_nb_shared_val"), src, srcoffset, nbytes,
                            UPCRI_NB_VALUE | UPCRI_NB_GET);
}
UPCRI_STATIC upcr_valget_handle_t upcr_get_nb_pshared_val(upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                                          size_t nbytes) {
    return upcri_get_val_nb(UPCRI_NAME("upcr_get_nb_pshared_val"), upcri_with_phase(src, 0), srcoffset,
                            nbytes, UPCRI_NB_VALUE | UPCRI_NB_GET);
}
UPCRI_STATIC upcr_valget_handle_t upcr_get_nb_shared_val_strict(upcr_shared_ptr_t src, ptrdiff_t srcoffset,
                                                                size_t nbytes) {
    return upcri_get_val_nb(UPCRI_NAME("upcr_get_nb_shared_val_strict"), src, srcoffset, nbytes,
                            UPCRI_NB_VALUE | UPCRI_NB_GET | UPCRI_NB_STRICT);
}
UPCRI_STATIC upcr_valget_handle_t upcr_get_nb_pshared_val_strict(upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                                                 size_t nbytes) {
    return upcri_get_val_nb(UPCRI_NAME("upcr_get_nb_pshared_val_strict"), upcri_with_phase(src, 0), srcoffset,
                            nbytes, UPCRI_NB_VALUE | UPCRI_NB_GET | UPCRI_NB_STRICT);
}
UPCRI_STATIC upcr_register_value_t upcr_wait_syncnb_valget(upcr_valget_handle_t handle) {
    return upcri_wait_valget(UPCRI_NAME("upcr_wait_syncnb_valget"), handle);
}

/* ---- Implicit handles ---- */

UPCRI_STATIC void upcr_put_nbi_shared(upcr_shared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                      size_t nbytes) {
    if (upcri_put_now(dest, destoffset, 1, src, nbytes)) return;
    (void)upcri_put_nb(UPCRI_NAME("upcr_put_nbi_shared"), dest, destoffset, src, nbytes, UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_put_nbi_pshared(upcr_pshared_ptr_t dest, ptrdiff_t destoffset, const void *src,
                                       size_t nbytes) {
    if (upcri_put_now(upcri_with_phase(dest, 0), destoffset, 0, src, nbytes)) return;
    (void)upcri_put_nb(UPCRI_NAME("upcr_put_nbi_pshared"), upcri_with_phase(dest, 0), destoffset, src, nbytes,
                       UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_get_nbi_shared(void *dest, upcr_shared_ptr_t src, ptrdiff_t srcoffset, size_t nbytes) {
    if (upcri_get_now(dest, src, srcoffset, 1, nbytes)) return;
    (void)upcri_get_nb(UPCRI_NAME("upcr_get_nbi_shared"), dest, src, srcoffset, nbytes,
                       UPCRI_NB_GET | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_get_nbi_pshared(void *dest, upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                       size_t nbytes) {
    if (upcri_get_now(dest, upcri_with_phase(src, 0), srcoffset, 0, nbytes)) return;
    (void)upcri_get_nb(UPCRI_NAME("upcr_get_nbi_pshared"), dest, upcri_with_phase(src, 0), srcoffset, nbytes,
                       UPCRI_NB_GET | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_put_nbi_shared_val(upcr_shared_ptr_t dest, ptrdiff_t destoffset,
                                          upcr_register_value_t value, size_t nbytes) {
    if (upcri_put_val_now(dest, destoffset, 1, value, nbytes)) return;
    (void)upcri_put_val_nb(UPCRI_NAME("upcr_put_nbi_shared_val"), dest, destoffset, value, nbytes,
                           UPCRI_NB_VALUE | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_put_nbi_pshared_val(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                           upcr_register_value_t value, size_t nbytes) {
    if (upcri_put_val_now(upcri_with_phase(dest, 0), destoffset, 0, value, nbytes)) return;
    (void)upcri_put_val_nb(UPCRI_NAME("upcr_put_nbi_pshared_val"), upcri_with_phase(dest, 0), destoffset,
                           value, nbytes, UPCRI_NB_VALUE | UPCRI_NB_IMPLICIT);
}

/* Every implicit get, put, or operation of this thread so far, outside access regions. wait and try as
 * above. Not inside an access region (debug: fatal). Copies and fills of shared memory count as puts. */
UPCRI_STATIC void upcr_wait_syncnbi_gets(void) { upcri_wait_nbi(UPCRI_NAME("upcr_wait_syncnbi_gets"), 1, 0); }
UPCRI_STATIC void upcr_wait_syncnbi_puts(void) { upcri_wait_nbi(UPCRI_NAME("upcr_wait_syncnbi_puts"), 0, 1); }
UPCRI_STATIC void upcr_wait_syncnbi_all(void) { upcri_wait_nbi(UPCRI_NAME("upcr_wait_syncnbi_all"), 1, 1); }
UPCRI_STATIC int upcr_try_syncnbi_gets(void) {
    return upcri_try_nbi(UPCRI_NAME("upcr_try_syncnbi_gets"), 1, 0);
}
UPCRI_STATIC int upcr_try_syncnbi_puts(void) {
    return upcri_try_nbi(UPCRI_NAME("upcr_try_syncnbi_puts"), 0, 1);
}
UPCRI_STATIC int upcr_try_syncnbi_all(void) {
    return upcri_try_nbi(UPCRI_NAME("upcr_try_syncnbi_all"), 1, 1);
}

/*
 * An access region: the implicit operations that this thread starts between begin and end are collected
 * and become one explicit operation, whose handle end returns. Regions do not nest (debug: fatal).
 */
UPCRI_API void upcr_begin_nbi_accessregion(void);
UPCRI_API upcr_handle_t upcr_end_nbi_accessregion(void);

UPCRI_END_C
