/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files compiled with `upcc --inst` (UPCR_GASP=1): calls report to the GASP tool that is linked, with the line
 * they stand in. Included last by upcr.h instead of callsites.h; nothing here is for users. Without --inst none
 * of this is compiled, so nothing is paid.
 *
 *   UPCR_PRAGMA_PUPC        0 in the parts of a file behind `#pragma pupc off`: nothing is reported there
 *   UPCR_GASP_LOCAL=1       puts and gets of the calling thread's own shared memory are reported too
 *   UPCR_GASP_FUNCTIONS=1   entry and exit of UPC functions are
 *
 * Each call of the list at the end becomes one of the functions before it, which call the real one.
 */
#pragma once
#if defined(UPCR_GASP) && UPCR_GASP
#include <stdlib.h>

#include "gasp_upc.h"
#include "pupc.h"
#include "upcr/access.h"
#include "upcr/async.h"
#include "upcr/barrier.h"
#include "upcr/bulk.h"
#include "upcr/coll.h"
#include "upcr/heap.h"
#include "upcr/idents.h"
#include "upcr/layout.h"
#include "upcr/lock.h"
#include "upcr/nb.h"
#include "upcr/static_data.h"
#include "upcr/val.h"

#ifndef UPCR_GASP_LOCAL
#define UPCR_GASP_LOCAL 0
#endif
#ifndef UPCR_GASP_FUNCTIONS
#define UPCR_GASP_FUNCTIONS 0
#endif
#undef UPCR_PRAGMA_PUPC
#define UPCR_PRAGMA_PUPC 1

UPCRI_BEGIN_C

/* Where a call stands, and whom it reports to: null for nobody. */
struct upcri_inst {
    gasp_context_t to;
    const char *file;
    int line;
};
UPCRI_INLINE struct upcri_inst upcri_inst_at(int on, const char *file, int line)
{
    struct upcri_inst at;
    at.to = on ? upcri_gasp_context() : (gasp_context_t)0;
    at.file = file;
    at.line = line;
#if UPCR_DEBUG && !defined(UPCR_NO_SRCPOS)
    upcri_set_srcpos(file, line);
#endif
    return at;
}
#define UPCRI_INST_HERE upcri_inst_at(UPCR_PRAGMA_PUPC, __FILE__, __LINE__)
/* One event, of at least one argument. */
#define UPCRI_TELL(tag, type, ...) \
    (at.to ? gasp_event_notify(at.to, tag, type, at.file, at.line, 0, __VA_ARGS__) : (void)0)
#define UPCRI_TELL0(tag, type) (at.to ? gasp_event_notify(at.to, tag, type, at.file, at.line, 0) : (void)0)
/* A span around a statement. */
#define UPCRI_SPAN(tag, statement, ...)          \
    do {                                         \
        UPCRI_TELL(tag, GASP_START, __VA_ARGS__); \
        statement;                               \
        UPCRI_TELL(tag, GASP_END, __VA_ARGS__);  \
    } while (0)

/* The address that an access of p with a byte offset means; of accesses, whether it is reported. */
UPCRI_INLINE upcr_shared_ptr_t upcri_inst_add(upcr_shared_ptr_t p, ptrdiff_t offset)
{
    return upcri_make_shared(upcr_addrfield_shared(p) + (uintptr_t)offset, upcr_threadof_shared(p),
                             upcr_phaseof_shared(p));
}
UPCRI_INLINE struct upcri_inst upcri_inst_access(struct upcri_inst at, upcr_shared_ptr_t p)
{
    if (!UPCR_GASP_LOCAL && upcr_threadof_shared(p) == upcr_mythread()) at.to = (gasp_context_t)0;
    return at;
}

/* ---- Scalar accesses (access.h, val.h, nb.h) ---- */

UPCRI_INLINE void upcri_inst_put_shared(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared(p, offset, src, n), 1, &where, src, n);
}
UPCRI_INLINE void upcri_inst_get_shared(struct upcri_inst at, void *dst, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, upcr_get_shared(dst, p, offset, n), 1, dst, &where, n);
}
UPCRI_INLINE void upcri_inst_put_shared_val(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, upcr_register_value_t value, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared_val(p, offset, value, n), 1, &where, (const void *)&value, n);
}
UPCRI_INLINE upcr_register_value_t upcri_inst_get_shared_val(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_shared_val(p, offset, n), 1, (void *)&value, &where, n);
    return value;
}
UPCRI_INLINE void upcri_inst_put_shared_floatval(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, float value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared_floatval(p, offset, value), 1, &where, (const void *)&value, sizeof(float));
}
UPCRI_INLINE float upcri_inst_get_shared_floatval(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_shared_floatval(p, offset), 1, (void *)&value, &where, sizeof(float));
    return value;
}
UPCRI_INLINE void upcri_inst_put_shared_doubleval(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, double value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared_doubleval(p, offset, value), 1, &where, (const void *)&value, sizeof(double));
}
UPCRI_INLINE double upcri_inst_get_shared_doubleval(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_shared_doubleval(p, offset), 1, (void *)&value, &where, sizeof(double));
    return value;
}
UPCRI_INLINE upcr_handle_t upcri_inst_put_nb_shared(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_START, 1, &where, src, n);
    handle = upcr_put_nb_shared(p, offset, src, n);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_END, 1, &where, src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_get_nb_shared(struct upcri_inst at, void *dst, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_START, 1, dst, &where, n);
    handle = upcr_get_nb_shared(dst, p, offset, n);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_END, 1, dst, &where, n, handle);
    return handle;
}
UPCRI_INLINE void upcri_inst_put_shared_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared_strict(p, offset, src, n), 0, &where, src, n);
}
UPCRI_INLINE void upcri_inst_get_shared_strict(struct upcri_inst at, void *dst, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, upcr_get_shared_strict(dst, p, offset, n), 0, dst, &where, n);
}
UPCRI_INLINE void upcri_inst_put_shared_val_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, upcr_register_value_t value, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared_val_strict(p, offset, value, n), 0, &where, (const void *)&value, n);
}
UPCRI_INLINE upcr_register_value_t upcri_inst_get_shared_val_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_shared_val_strict(p, offset, n), 0, (void *)&value, &where, n);
    return value;
}
UPCRI_INLINE void upcri_inst_put_shared_floatval_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, float value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared_floatval_strict(p, offset, value), 0, &where, (const void *)&value, sizeof(float));
}
UPCRI_INLINE float upcri_inst_get_shared_floatval_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_shared_floatval_strict(p, offset), 0, (void *)&value, &where, sizeof(float));
    return value;
}
UPCRI_INLINE void upcri_inst_put_shared_doubleval_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, double value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_shared_doubleval_strict(p, offset, value), 0, &where, (const void *)&value, sizeof(double));
}
UPCRI_INLINE double upcri_inst_get_shared_doubleval_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_shared_doubleval_strict(p, offset), 0, (void *)&value, &where, sizeof(double));
    return value;
}
UPCRI_INLINE upcr_handle_t upcri_inst_put_nb_shared_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_START, 0, &where, src, n);
    handle = upcr_put_nb_shared_strict(p, offset, src, n);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_END, 0, &where, src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_get_nb_shared_strict(struct upcri_inst at, void *dst, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_START, 0, dst, &where, n);
    handle = upcr_get_nb_shared_strict(dst, p, offset, n);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_END, 0, dst, &where, n, handle);
    return handle;
}
UPCRI_INLINE void upcri_inst_put_nbi_shared(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset, const void *buffer, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_START, 1, &where, buffer, n);
    upcr_put_nbi_shared(p, offset, buffer, n);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_END, 1, &where, buffer, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_get_nbi_shared(struct upcri_inst at, void *buffer, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_START, 1, buffer, &where, n);
    upcr_get_nbi_shared(buffer, p, offset, n);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_END, 1, buffer, &where, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_put_pshared(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared(p, offset, src, n), 1, &where, src, n);
}
UPCRI_INLINE void upcri_inst_get_pshared(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, upcr_get_pshared(dst, p, offset, n), 1, dst, &where, n);
}
UPCRI_INLINE void upcri_inst_put_pshared_val(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, upcr_register_value_t value, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared_val(p, offset, value, n), 1, &where, (const void *)&value, n);
}
UPCRI_INLINE upcr_register_value_t upcri_inst_get_pshared_val(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_pshared_val(p, offset, n), 1, (void *)&value, &where, n);
    return value;
}
UPCRI_INLINE void upcri_inst_put_pshared_floatval(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, float value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared_floatval(p, offset, value), 1, &where, (const void *)&value, sizeof(float));
}
UPCRI_INLINE float upcri_inst_get_pshared_floatval(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_pshared_floatval(p, offset), 1, (void *)&value, &where, sizeof(float));
    return value;
}
UPCRI_INLINE void upcri_inst_put_pshared_doubleval(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, double value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared_doubleval(p, offset, value), 1, &where, (const void *)&value, sizeof(double));
}
UPCRI_INLINE double upcri_inst_get_pshared_doubleval(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_pshared_doubleval(p, offset), 1, (void *)&value, &where, sizeof(double));
    return value;
}
UPCRI_INLINE upcr_handle_t upcri_inst_put_nb_pshared(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_START, 1, &where, src, n);
    handle = upcr_put_nb_pshared(p, offset, src, n);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_END, 1, &where, src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_get_nb_pshared(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_START, 1, dst, &where, n);
    handle = upcr_get_nb_pshared(dst, p, offset, n);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_END, 1, dst, &where, n, handle);
    return handle;
}
UPCRI_INLINE void upcri_inst_put_pshared_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared_strict(p, offset, src, n), 0, &where, src, n);
}
UPCRI_INLINE void upcri_inst_get_pshared_strict(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, upcr_get_pshared_strict(dst, p, offset, n), 0, dst, &where, n);
}
UPCRI_INLINE void upcri_inst_put_pshared_val_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, upcr_register_value_t value, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared_val_strict(p, offset, value, n), 0, &where, (const void *)&value, n);
}
UPCRI_INLINE upcr_register_value_t upcri_inst_get_pshared_val_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_pshared_val_strict(p, offset, n), 0, (void *)&value, &where, n);
    return value;
}
UPCRI_INLINE void upcri_inst_put_pshared_floatval_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, float value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared_floatval_strict(p, offset, value), 0, &where, (const void *)&value, sizeof(float));
}
UPCRI_INLINE float upcri_inst_get_pshared_floatval_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_pshared_floatval_strict(p, offset), 0, (void *)&value, &where, sizeof(float));
    return value;
}
UPCRI_INLINE void upcri_inst_put_pshared_doubleval_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, double value)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, upcr_put_pshared_doubleval_strict(p, offset, value), 0, &where, (const void *)&value, sizeof(double));
}
UPCRI_INLINE double upcri_inst_get_pshared_doubleval_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = upcr_get_pshared_doubleval_strict(p, offset), 0, (void *)&value, &where, sizeof(double));
    return value;
}
UPCRI_INLINE upcr_handle_t upcri_inst_put_nb_pshared_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, const void *src, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_START, 0, &where, src, n);
    handle = upcr_put_nb_pshared_strict(p, offset, src, n);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_END, 0, &where, src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_get_nb_pshared_strict(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_START, 0, dst, &where, n);
    handle = upcr_get_nb_pshared_strict(dst, p, offset, n);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_END, 0, dst, &where, n, handle);
    return handle;
}
UPCRI_INLINE void upcri_inst_put_nbi_pshared(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset, const void *buffer, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_START, 1, &where, buffer, n);
    upcr_put_nbi_pshared(p, offset, buffer, n);
    UPCRI_TELL(GASP_UPC_NB_PUT_INIT, GASP_END, 1, &where, buffer, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_get_nbi_pshared(struct upcri_inst at, void *buffer, upcr_pshared_ptr_t p, ptrdiff_t offset, size_t n)
{
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_START, 1, buffer, &where, n);
    upcr_get_nbi_pshared(buffer, p, offset, n);
    UPCRI_TELL(GASP_UPC_NB_GET_INIT, GASP_END, 1, buffer, &where, n, (upcr_handle_t)0);
}

/* ---- Synchronisation of non-blocking operations ---- */

UPCRI_INLINE void upcri_inst_wait_syncnb(struct upcri_inst at, upcr_handle_t handle)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnb(handle), handle);
}
UPCRI_INLINE void upcri_inst_wait_syncnb_strict(struct upcri_inst at, upcr_handle_t handle)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnb_strict(handle), handle);
}
UPCRI_INLINE void upcri_inst_waitsync(struct upcri_inst at, upcr_handle_t handle)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_waitsync(handle), handle);
}
UPCRI_INLINE void upcri_inst_bupc_waitsync(struct upcri_inst at, upcr_handle_t handle)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, bupc_waitsync(handle), handle);
}
UPCRI_INLINE int upcri_inst_try_syncnb(struct upcri_inst at, upcr_handle_t handle)
{
    int done;
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_START, handle);
    done = upcr_try_syncnb(handle);
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_END, handle, done);
    return done;
}
UPCRI_INLINE int upcri_inst_try_syncnb_strict(struct upcri_inst at, upcr_handle_t handle)
{
    int done;
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_START, handle);
    done = upcr_try_syncnb_strict(handle);
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_END, handle, done);
    return done;
}
UPCRI_INLINE int upcri_inst_trysync(struct upcri_inst at, upcr_handle_t handle)
{
    int done;
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_START, handle);
    done = upcr_trysync(handle);
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_END, handle, done);
    return done;
}
UPCRI_INLINE int upcri_inst_bupc_trysync(struct upcri_inst at, upcr_handle_t handle)
{
    int done;
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_START, handle);
    done = bupc_trysync(handle);
    UPCRI_TELL(GASP_BUPC_NB_TRYSYNC, GASP_END, handle, done);
    return done;
}
UPCRI_INLINE void upcri_inst_wait_syncnbi_gets(struct upcri_inst at)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnbi_gets(), (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_wait_syncnbi_puts(struct upcri_inst at)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnbi_puts(), (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_wait_syncnbi_all(struct upcri_inst at)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnbi_all(), (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_bupc_waitsynci(struct upcri_inst at)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, bupc_waitsynci(), (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_wait_syncnb_all(struct upcri_inst at, upcr_handle_t *ph, size_t n)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnb_all(ph, n), (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_wait_syncnb_some(struct upcri_inst at, upcr_handle_t *ph, size_t n)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnb_some(ph, n), (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_bupc_waitsync_all(struct upcri_inst at, upcr_handle_t *ph, size_t n)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, bupc_waitsync_all(ph, n), (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_bupc_waitsync_some(struct upcri_inst at, upcr_handle_t *ph, size_t n)
{
    UPCRI_SPAN(GASP_UPC_NB_SYNC, bupc_waitsync_some(ph, n), (upcr_handle_t)0);
}

/* ---- Bulk (bulk.h, async.h) ---- */

UPCRI_INLINE void upcri_inst_memget(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n)
{
    UPCRI_SPAN(GASP_UPC_MEMGET, upcr_memget(dst, src, n), dst, &src, n);
}
UPCRI_INLINE upcr_handle_t upcri_inst_nb_memget(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_START, dst, &src, n);
    handle = upcr_nb_memget(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_END, dst, &src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_memget_nb(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_START, dst, &src, n);
    handle = upcr_memget_nb(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_END, dst, &src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_bupc_memget_async(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_START, dst, &src, n);
    handle = bupc_memget_async(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_END, dst, &src, n, handle);
    return handle;
}
UPCRI_INLINE void upcri_inst_nbi_memget(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n)
{
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_START, dst, &src, n);
    upcr_nbi_memget(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_END, dst, &src, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_bupc_memget_asynci(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n)
{
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_START, dst, &src, n);
    bupc_memget_asynci(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMGET_INIT, GASP_END, dst, &src, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_memput(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src, size_t n)
{
    UPCRI_SPAN(GASP_UPC_MEMPUT, upcr_memput(dst, src, n), &dst, src, n);
}
UPCRI_INLINE upcr_handle_t upcri_inst_nb_memput(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_START, &dst, src, n);
    handle = upcr_nb_memput(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_END, &dst, src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_memput_nb(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_START, &dst, src, n);
    handle = upcr_memput_nb(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_END, &dst, src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_bupc_memput_async(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_START, &dst, src, n);
    handle = bupc_memput_async(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_END, &dst, src, n, handle);
    return handle;
}
UPCRI_INLINE void upcri_inst_nbi_memput(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src, size_t n)
{
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_START, &dst, src, n);
    upcr_nbi_memput(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_END, &dst, src, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_bupc_memput_asynci(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src, size_t n)
{
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_START, &dst, src, n);
    bupc_memput_asynci(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMPUT_INIT, GASP_END, &dst, src, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_memcpy(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n)
{
    UPCRI_SPAN(GASP_UPC_MEMCPY, upcr_memcpy(dst, src, n), &dst, &src, n);
}
UPCRI_INLINE upcr_handle_t upcri_inst_nb_memcpy(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_START, &dst, &src, n);
    handle = upcr_nb_memcpy(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_END, &dst, &src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_memcpy_nb(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_START, &dst, &src, n);
    handle = upcr_memcpy_nb(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_END, &dst, &src, n, handle);
    return handle;
}
UPCRI_INLINE upcr_handle_t upcri_inst_bupc_memcpy_async(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n)
{
    upcr_handle_t handle;
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_START, &dst, &src, n);
    handle = bupc_memcpy_async(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_END, &dst, &src, n, handle);
    return handle;
}
UPCRI_INLINE void upcri_inst_nbi_memcpy(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n)
{
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_START, &dst, &src, n);
    upcr_nbi_memcpy(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_END, &dst, &src, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_bupc_memcpy_asynci(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n)
{
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_START, &dst, &src, n);
    bupc_memcpy_asynci(dst, src, n);
    UPCRI_TELL(GASP_BUPC_NB_MEMCPY_INIT, GASP_END, &dst, &src, n, (upcr_handle_t)0);
}
UPCRI_INLINE void upcri_inst_memset(struct upcri_inst at, upcr_shared_ptr_t dst, int c, size_t n)
{
    UPCRI_SPAN(GASP_UPC_MEMSET, upcr_memset(dst, c, n), &dst, c, n);
}

/* ---- Heap, locks, static data ---- */

UPCRI_INLINE upcr_shared_ptr_t upcri_inst_alloc(struct upcri_inst at, size_t n)
{
    upcr_shared_ptr_t p;
    UPCRI_TELL(GASP_UPC_ALLOC, GASP_START, n);
    p = upcr_alloc(n);
    UPCRI_TELL(GASP_UPC_ALLOC, GASP_END, n, &p);
    return p;
}
UPCRI_INLINE upcr_shared_ptr_t upcri_inst_local_alloc(struct upcri_inst at, size_t n, size_t size)
{
    upcr_shared_ptr_t p;
    UPCRI_TELL(GASP_UPC_ALLOC, GASP_START, n * size);
    p = upcr_local_alloc(n, size);
    UPCRI_TELL(GASP_UPC_ALLOC, GASP_END, n * size, &p);
    return p;
}
UPCRI_INLINE upcr_shared_ptr_t upcri_inst_global_alloc(struct upcri_inst at, size_t n, size_t size)
{
    upcr_shared_ptr_t p;
    UPCRI_TELL(GASP_UPC_GLOBAL_ALLOC, GASP_START, n, size);
    p = upcr_global_alloc(n, size);
    UPCRI_TELL(GASP_UPC_GLOBAL_ALLOC, GASP_END, n, size, &p);
    return p;
}
UPCRI_INLINE upcr_shared_ptr_t upcri_inst_global_lock_alloc(struct upcri_inst at)
{
    upcr_shared_ptr_t lock;
    UPCRI_TELL0(GASP_UPC_GLOBAL_LOCK_ALLOC, GASP_START);
    lock = upcr_global_lock_alloc();
    UPCRI_TELL(GASP_UPC_GLOBAL_LOCK_ALLOC, GASP_END, &lock);
    return lock;
}
UPCRI_INLINE upcr_shared_ptr_t upcri_inst_all_alloc(struct upcri_inst at, size_t n, size_t size)
{
    upcr_shared_ptr_t p;
    UPCRI_TELL(GASP_UPC_ALL_ALLOC, GASP_START, n, size);
    p = upcr_all_alloc(n, size);
    UPCRI_TELL(GASP_UPC_ALL_ALLOC, GASP_END, n, size, &p);
    return p;
}
UPCRI_INLINE upcr_shared_ptr_t upcri_inst_all_lock_alloc(struct upcri_inst at)
{
    upcr_shared_ptr_t lock;
    UPCRI_TELL0(GASP_UPC_ALL_LOCK_ALLOC, GASP_START);
    lock = upcr_all_lock_alloc();
    UPCRI_TELL(GASP_UPC_ALL_LOCK_ALLOC, GASP_END, &lock);
    return lock;
}
UPCRI_INLINE void upcri_inst_free(struct upcri_inst at, upcr_shared_ptr_t p)
{
    UPCRI_SPAN(GASP_UPC_FREE, upcr_free(p), &p);
}
UPCRI_INLINE void upcri_inst_all_free(struct upcri_inst at, upcr_shared_ptr_t p)
{
    UPCRI_SPAN(GASP_UPC_FREE, upcr_all_free(p), &p);
}
UPCRI_INLINE void upcri_inst_lock(struct upcri_inst at, upcr_shared_ptr_t p)
{
    UPCRI_SPAN(GASP_UPC_LOCK, upcr_lock(p), &p);
}
UPCRI_INLINE void upcri_inst_unlock(struct upcri_inst at, upcr_shared_ptr_t p)
{
    UPCRI_SPAN(GASP_UPC_UNLOCK, upcr_unlock(p), &p);
}
UPCRI_INLINE void upcri_inst_lock_free(struct upcri_inst at, upcr_shared_ptr_t p)
{
    UPCRI_SPAN(GASP_UPC_LOCK_FREE, upcr_lock_free(p), &p);
}
UPCRI_INLINE void upcri_inst_all_lock_free(struct upcri_inst at, upcr_shared_ptr_t p)
{
    UPCRI_SPAN(GASP_UPC_LOCK_FREE, upcr_all_lock_free(p), &p);
}
UPCRI_INLINE int upcri_inst_lock_attempt(struct upcri_inst at, upcr_shared_ptr_t lock)
{
    int got;
    UPCRI_TELL(GASP_UPC_LOCK_ATTEMPT, GASP_START, &lock);
    got = upcr_lock_attempt(lock);
    UPCRI_TELL(GASP_UPC_LOCK_ATTEMPT, GASP_END, &lock, got);
    return got;
}
UPCRI_INLINE void upcri_inst_startup_shalloc(struct upcri_inst at, upcr_startup_shalloc_t *infos, size_t count)
{
    upcr_startup_shalloc(infos, count);
    for (size_t i = 0; i < count; ++i) {
        const upcr_shared_ptr_t p = *infos[i].sptr_addr;
        UPCRI_TELL(GASP_BUPC_STATIC_SHARED, GASP_ATOMIC, &p, infos[i].blockbytes, infos[i].numblocks,
                   infos[i].mult_by_threads, infos[i].elemsz, infos[i].namestr, infos[i].typestr);
    }
}
UPCRI_INLINE void upcri_inst_startup_pshalloc(struct upcri_inst at, upcr_startup_pshalloc_t *infos, size_t count)
{
    upcr_startup_pshalloc(infos, count);
    for (size_t i = 0; i < count; ++i) {
        const upcr_shared_ptr_t p = upcr_pshared_to_shared(*infos[i].psptr_addr);
        UPCRI_TELL(GASP_BUPC_STATIC_SHARED, GASP_ATOMIC, &p, infos[i].blockbytes, infos[i].numblocks,
                   infos[i].mult_by_threads, infos[i].elemsz, infos[i].namestr, infos[i].typestr);
    }
}

/* ---- Barriers ---- */

UPCRI_INLINE void upcri_inst_notify(struct upcri_inst at, int value, int flags)
{
    UPCRI_SPAN(GASP_UPC_NOTIFY, upcr_notify(value, flags), (flags & UPCR_BARRIERFLAG_ANONYMOUS) == 0, value);
}
UPCRI_INLINE void upcri_inst_wait(struct upcri_inst at, int value, int flags)
{
    UPCRI_SPAN(GASP_UPC_WAIT, upcr_wait(value, flags), (flags & UPCR_BARRIERFLAG_ANONYMOUS) == 0, value);
}
/* A barrier is both. */
UPCRI_INLINE void upcri_inst_barrier(struct upcri_inst at, int value, int flags)
{
    UPCRI_SPAN(GASP_UPC_NOTIFY, upcr_notify(value, flags), (flags & UPCR_BARRIERFLAG_ANONYMOUS) == 0, value);
    UPCRI_SPAN(GASP_UPC_WAIT, upcr_wait(value, flags), (flags & UPCR_BARRIERFLAG_ANONYMOUS) == 0, value);
}

/* ---- Collectives (coll.h) ---- */

UPCRI_INLINE void upcri_inst_bupc_all_broadcast(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n, int flags)
{
    UPCRI_SPAN(GASP_UPC_ALL_BROADCAST, bupc_all_broadcast(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_INLINE void upcri_inst_bupc_all_scatter(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n, int flags)
{
    UPCRI_SPAN(GASP_UPC_ALL_SCATTER, bupc_all_scatter(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_INLINE void upcri_inst_bupc_all_gather(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n, int flags)
{
    UPCRI_SPAN(GASP_UPC_ALL_GATHER, bupc_all_gather(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_INLINE void upcri_inst_bupc_all_gather_all(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n, int flags)
{
    UPCRI_SPAN(GASP_UPC_ALL_GATHER_ALL, bupc_all_gather_all(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_INLINE void upcri_inst_bupc_all_exchange(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t n, int flags)
{
    UPCRI_SPAN(GASP_UPC_ALL_EXCHANGE, bupc_all_exchange(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_INLINE void upcri_inst_bupc_all_permute(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm, size_t n, int flags)
{
    const upcr_shared_ptr_t p = upcr_pshared_to_shared(perm);
    UPCRI_SPAN(GASP_UPC_ALL_PERMUTE, bupc_all_permute(dst, src, perm, n, flags), &dst, &src, &p, n, flags);
}

/* ---- Private memory, in translated C ---- */

UPCRI_INLINE void * upcri_inst_malloc(struct upcri_inst at, size_t n)
{
    void *p;
    UPCRI_TELL(GASP_UPC_C_MALLOC, GASP_START, n);
    p = malloc(n);
    UPCRI_TELL(GASP_UPC_C_MALLOC, GASP_END, n, p);
    return p;
}
UPCRI_INLINE void * upcri_inst_realloc(struct upcri_inst at, void *old, size_t n)
{
    void *p;
    UPCRI_TELL(GASP_UPC_C_REALLOC, GASP_START, old, n);
    p = realloc(old, n);
    UPCRI_TELL(GASP_UPC_C_REALLOC, GASP_END, (void *)0, n, p);
    return p;
}
UPCRI_INLINE void upcri_inst_c_free(struct upcri_inst at, void *p)
{
    const uintptr_t was = (uintptr_t)p;
    UPCRI_SPAN(GASP_UPC_C_FREE, free(p), was);
}

/* ---- Functions ---- */

UPCRI_INLINE void upcri_inst_function(struct upcri_inst at, gasp_evttype_t type, const char *name)
{
    UPCRI_TELL(GASP_UPC_C_FUNC, type, name);
}

UPCRI_END_C

/* What else says where it stands in debug builds; then every call of the above. */
#include "upcr/callsites.h"

#undef upcr_put_shared
#define upcr_put_shared(...) upcri_inst_put_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared
#define upcr_get_shared(...) upcri_inst_get_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_val
#define upcr_put_shared_val(...) upcri_inst_put_shared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_val
#define upcr_get_shared_val(...) upcri_inst_get_shared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_floatval
#define upcr_put_shared_floatval(...) upcri_inst_put_shared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_floatval
#define upcr_get_shared_floatval(...) upcri_inst_get_shared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_doubleval
#define upcr_put_shared_doubleval(...) upcri_inst_put_shared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_doubleval
#define upcr_get_shared_doubleval(...) upcri_inst_get_shared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_shared
#define upcr_put_nb_shared(...) upcri_inst_put_nb_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_shared
#define upcr_get_nb_shared(...) upcri_inst_get_nb_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_strict
#define upcr_put_shared_strict(...) upcri_inst_put_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_strict
#define upcr_get_shared_strict(...) upcri_inst_get_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_val_strict
#define upcr_put_shared_val_strict(...) upcri_inst_put_shared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_val_strict
#define upcr_get_shared_val_strict(...) upcri_inst_get_shared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_floatval_strict
#define upcr_put_shared_floatval_strict(...) upcri_inst_put_shared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_floatval_strict
#define upcr_get_shared_floatval_strict(...) upcri_inst_get_shared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_doubleval_strict
#define upcr_put_shared_doubleval_strict(...) upcri_inst_put_shared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_doubleval_strict
#define upcr_get_shared_doubleval_strict(...) upcri_inst_get_shared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_shared_strict
#define upcr_put_nb_shared_strict(...) upcri_inst_put_nb_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_shared_strict
#define upcr_get_nb_shared_strict(...) upcri_inst_get_nb_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nbi_shared
#define upcr_put_nbi_shared(...) upcri_inst_put_nbi_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nbi_shared
#define upcr_get_nbi_shared(...) upcri_inst_get_nbi_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared
#define upcr_put_pshared(...) upcri_inst_put_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared
#define upcr_get_pshared(...) upcri_inst_get_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_val
#define upcr_put_pshared_val(...) upcri_inst_put_pshared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_val
#define upcr_get_pshared_val(...) upcri_inst_get_pshared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_floatval
#define upcr_put_pshared_floatval(...) upcri_inst_put_pshared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_floatval
#define upcr_get_pshared_floatval(...) upcri_inst_get_pshared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_doubleval
#define upcr_put_pshared_doubleval(...) upcri_inst_put_pshared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_doubleval
#define upcr_get_pshared_doubleval(...) upcri_inst_get_pshared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_pshared
#define upcr_put_nb_pshared(...) upcri_inst_put_nb_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_pshared
#define upcr_get_nb_pshared(...) upcri_inst_get_nb_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_strict
#define upcr_put_pshared_strict(...) upcri_inst_put_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_strict
#define upcr_get_pshared_strict(...) upcri_inst_get_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_val_strict
#define upcr_put_pshared_val_strict(...) upcri_inst_put_pshared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_val_strict
#define upcr_get_pshared_val_strict(...) upcri_inst_get_pshared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_floatval_strict
#define upcr_put_pshared_floatval_strict(...) upcri_inst_put_pshared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_floatval_strict
#define upcr_get_pshared_floatval_strict(...) upcri_inst_get_pshared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_doubleval_strict
#define upcr_put_pshared_doubleval_strict(...) upcri_inst_put_pshared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_doubleval_strict
#define upcr_get_pshared_doubleval_strict(...) upcri_inst_get_pshared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_pshared_strict
#define upcr_put_nb_pshared_strict(...) upcri_inst_put_nb_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_pshared_strict
#define upcr_get_nb_pshared_strict(...) upcri_inst_get_nb_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nbi_pshared
#define upcr_put_nbi_pshared(...) upcri_inst_put_nbi_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nbi_pshared
#define upcr_get_nbi_pshared(...) upcri_inst_get_nbi_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnb
#define upcr_wait_syncnb(...) upcri_inst_wait_syncnb(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnb_strict
#define upcr_wait_syncnb_strict(...) upcri_inst_wait_syncnb_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_waitsync
#define upcr_waitsync(...) upcri_inst_waitsync(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_waitsync
#define bupc_waitsync(...) upcri_inst_bupc_waitsync(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_try_syncnb
#define upcr_try_syncnb(...) upcri_inst_try_syncnb(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_try_syncnb_strict
#define upcr_try_syncnb_strict(...) upcri_inst_try_syncnb_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_trysync
#define upcr_trysync(...) upcri_inst_trysync(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_trysync
#define bupc_trysync(...) upcri_inst_bupc_trysync(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnbi_gets
#define upcr_wait_syncnbi_gets() upcri_inst_wait_syncnbi_gets(UPCRI_INST_HERE)
#undef upcr_wait_syncnbi_puts
#define upcr_wait_syncnbi_puts() upcri_inst_wait_syncnbi_puts(UPCRI_INST_HERE)
#undef upcr_wait_syncnbi_all
#define upcr_wait_syncnbi_all() upcri_inst_wait_syncnbi_all(UPCRI_INST_HERE)
#undef bupc_waitsynci
#define bupc_waitsynci() upcri_inst_bupc_waitsynci(UPCRI_INST_HERE)
#undef upcr_wait_syncnb_all
#define upcr_wait_syncnb_all(...) upcri_inst_wait_syncnb_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnb_some
#define upcr_wait_syncnb_some(...) upcri_inst_wait_syncnb_some(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_waitsync_all
#define bupc_waitsync_all(...) upcri_inst_bupc_waitsync_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_waitsync_some
#define bupc_waitsync_some(...) upcri_inst_bupc_waitsync_some(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memget
#define upcr_memget(...) upcri_inst_memget(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nb_memget
#define upcr_nb_memget(...) upcri_inst_nb_memget(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memget_nb
#define upcr_memget_nb(...) upcri_inst_memget_nb(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memget_async
#define bupc_memget_async(...) upcri_inst_bupc_memget_async(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nbi_memget
#define upcr_nbi_memget(...) upcri_inst_nbi_memget(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memget_asynci
#define bupc_memget_asynci(...) upcri_inst_bupc_memget_asynci(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memput
#define upcr_memput(...) upcri_inst_memput(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nb_memput
#define upcr_nb_memput(...) upcri_inst_nb_memput(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memput_nb
#define upcr_memput_nb(...) upcri_inst_memput_nb(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memput_async
#define bupc_memput_async(...) upcri_inst_bupc_memput_async(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nbi_memput
#define upcr_nbi_memput(...) upcri_inst_nbi_memput(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memput_asynci
#define bupc_memput_asynci(...) upcri_inst_bupc_memput_asynci(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memcpy
#define upcr_memcpy(...) upcri_inst_memcpy(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nb_memcpy
#define upcr_nb_memcpy(...) upcri_inst_nb_memcpy(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memcpy_nb
#define upcr_memcpy_nb(...) upcri_inst_memcpy_nb(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memcpy_async
#define bupc_memcpy_async(...) upcri_inst_bupc_memcpy_async(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nbi_memcpy
#define upcr_nbi_memcpy(...) upcri_inst_nbi_memcpy(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memcpy_asynci
#define bupc_memcpy_asynci(...) upcri_inst_bupc_memcpy_asynci(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memset
#define upcr_memset(...) upcri_inst_memset(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_alloc
#define upcr_alloc(...) upcri_inst_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_local_alloc
#define upcr_local_alloc(...) upcri_inst_local_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_global_alloc
#define upcr_global_alloc(...) upcri_inst_global_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_global_lock_alloc
#define upcr_global_lock_alloc() upcri_inst_global_lock_alloc(UPCRI_INST_HERE)
#undef upcr_all_alloc
#define upcr_all_alloc(...) upcri_inst_all_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_all_lock_alloc
#define upcr_all_lock_alloc() upcri_inst_all_lock_alloc(UPCRI_INST_HERE)
#undef upcr_free
#define upcr_free(...) upcri_inst_free(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_all_free
#define upcr_all_free(...) upcri_inst_all_free(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_lock
#define upcr_lock(...) upcri_inst_lock(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_unlock
#define upcr_unlock(...) upcri_inst_unlock(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_lock_free
#define upcr_lock_free(...) upcri_inst_lock_free(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_all_lock_free
#define upcr_all_lock_free(...) upcri_inst_all_lock_free(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_lock_attempt
#define upcr_lock_attempt(...) upcri_inst_lock_attempt(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_startup_shalloc
#define upcr_startup_shalloc(...) upcri_inst_startup_shalloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_startup_pshalloc
#define upcr_startup_pshalloc(...) upcri_inst_startup_pshalloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_notify
#define upcr_notify(...) upcri_inst_notify(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait
#define upcr_wait(...) upcri_inst_wait(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_barrier
#define upcr_barrier(...) upcri_inst_barrier(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_broadcast
#define bupc_all_broadcast(...) upcri_inst_bupc_all_broadcast(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_scatter
#define bupc_all_scatter(...) upcri_inst_bupc_all_scatter(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_gather
#define bupc_all_gather(...) upcri_inst_bupc_all_gather(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_gather_all
#define bupc_all_gather_all(...) upcri_inst_bupc_all_gather_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_exchange
#define bupc_all_exchange(...) upcri_inst_bupc_all_exchange(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_permute
#define bupc_all_permute(...) upcri_inst_bupc_all_permute(UPCRI_INST_HERE, __VA_ARGS__)
#ifdef __BERKELEY_UPC_SECOND_PREPROCESS__
#define malloc(...) upcri_inst_malloc(UPCRI_INST_HERE, __VA_ARGS__)
#define realloc(...) upcri_inst_realloc(UPCRI_INST_HERE, __VA_ARGS__)
#define free(...) upcri_inst_c_free(UPCRI_INST_HERE, __VA_ARGS__)
#endif
#if UPCR_GASP_FUNCTIONS
#undef UPCR_BEGIN_FUNCTION
#undef UPCR_EXIT_FUNCTION
#define UPCR_BEGIN_FUNCTION() upcri_inst_function(UPCRI_INST_HERE, GASP_START, __func__)
#define UPCR_EXIT_FUNCTION() upcri_inst_function(UPCRI_INST_HERE, GASP_END, __func__)
#endif
#endif
