/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extended interface: put, get and memset of other nodes' memory (GASNet specification 1.8, "Extended API").
 *
 *                    blocking          explicit handle       implicit handle
 *   put, get         gasnet_put        gasnet_put_nb         gasnet_put_nbi         aligned as an object of n
 *                    bytes
 *                    gasnet_put_bulk   gasnet_put_nb_bulk    gasnet_put_nbi_bulk    any alignment
 *   fill             gasnet_memset     gasnet_memset_nb      gasnet_memset_nbi
 *   register values  gasnet_put_val    gasnet_put_nb_val     gasnet_put_nbi_val     1 .. 8 bytes
 *                    gasnet_get_val    gasnet_get_nb_val
 *
 * node   the owner of the remote memory; may be this one. The range is in its segment (with
 *        GASNET_SEGMENT_EVERYTHING anywhere).
 * n      bytes; with 0 nothing is done and no other argument is read (not for the _val forms).
 * The local side is any memory of the caller. The ranges may coincide, not overlap otherwise. No alignment is
 * required by this implementation.
 *
 * Source of a put: may be changed when the call returns, except for _nb_bulk and _nbi_bulk: when
 * synchronised. A put is complete (blocking return, successful synchronisation) when every node sees the
 * data. Operations that are not synchronised have no order, even to the same bytes. Any number may be in
 * flight. Calls may run handlers.
 *
 * A handle is synchronised exactly once, by the thread that made it; GASNET_INVALID_HANDLE, all bytes zero,
 * is that of an operation that is complete. Implicit operations of a thread are synchronised together, puts
 * (with memset and the values) and gets separately; those between gasnet_begin_nbi_accessregion() and
 * gasnet_end_nbi_accessregion() belong to the handle that the latter returns instead.
 *
 * Errors (a bad handle, in debug builds a bad node or address too) end the job. Not in handlers.
 */
#pragma once
#include <string.h>

#include "gasnet/extended_rep.h"

#define GASNET_INVALID_HANDLE ((gasnet_handle_t)0)

GASNETI_BEGIN_EXTERNC

/* Blocking. */
GASNETI_INLINE void gasnet_put(gasnet_node_t node, void *dest, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_copy_out(here, src, n);
    else
        gasneti_put(GASNETI_FUNCTION("gasnet_put"), node, dest, src, n);
}
GASNETI_INLINE void gasnet_put_bulk(gasnet_node_t node, void *dest, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_copy_out(here, src, n);
    else
        gasneti_put(GASNETI_FUNCTION("gasnet_put_bulk"), node, dest, src, n);
}
GASNETI_INLINE void gasnet_get(void *dest, gasnet_node_t node, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, src, &here))
        gasneti_copy_in(dest, here, n);
    else
        gasneti_get(GASNETI_FUNCTION("gasnet_get"), dest, node, src, n);
}
GASNETI_INLINE void gasnet_get_bulk(void *dest, gasnet_node_t node, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, src, &here))
        gasneti_copy_in(dest, here, n);
    else
        gasneti_get(GASNETI_FUNCTION("gasnet_get_bulk"), dest, node, src, n);
}
GASNETI_INLINE void gasnet_memset(gasnet_node_t node, void *dest, int val, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_fill(here, val, n);
    else
        gasneti_memset(GASNETI_FUNCTION("gasnet_memset"), node, dest, val, n);
}
/* The low n bytes of v as an integer of n bytes; a get fills the others with 0. */
GASNETI_INLINE void gasnet_put_val(gasnet_node_t node, void *dest, gasnet_register_value_t v, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_copy_out(here, GASNETI_LOW_BYTES(&v, n), n);
    else
        gasneti_put_value(GASNETI_FUNCTION("gasnet_put_val"), node, dest, v, n, 0);
}
GASNETI_INLINE gasnet_register_value_t gasnet_get_val(gasnet_node_t node, const void *src, size_t n) {
    gasnet_register_value_t v = 0;
    void *here;
    if (!gasneti_find(node, src, &here))
        return gasneti_get_value(GASNETI_FUNCTION("gasnet_get_val"), node, src, n);
    gasneti_copy_in(GASNETI_LOW_BYTES(&v, n), here, n);
    return v;
}

/* Explicit handle. */
GASNETI_INLINE gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void *dest, const void *src, size_t n) {
    void *here;
    if (!gasneti_find(node, dest, &here))
        return gasneti_put_nb(GASNETI_FUNCTION("gasnet_put_nb"), node, dest, src, n, 0);
    gasneti_copy_out(here, src, n);
    return GASNET_INVALID_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void *dest, const void *src, size_t n) {
    void *here;
    if (!gasneti_find(node, dest, &here))
        return gasneti_put_nb(GASNETI_FUNCTION("gasnet_put_nb_bulk"), node, dest, src, n, GASNETI_NB_BULK);
    gasneti_copy_out(here, src, n);
    return GASNET_INVALID_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_get_nb(void *dest, gasnet_node_t node, const void *src, size_t n) {
    void *here;
    if (!gasneti_find(node, src, &here))
        return gasneti_get_nb(GASNETI_FUNCTION("gasnet_get_nb"), dest, node, src, n, 0);
    gasneti_copy_in(dest, here, n);
    return GASNET_INVALID_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_get_nb_bulk(void *dest, gasnet_node_t node, const void *src, size_t n) {
    void *here;
    if (!gasneti_find(node, src, &here))
        return gasneti_get_nb(GASNETI_FUNCTION("gasnet_get_nb_bulk"), dest, node, src, n, 0);
    gasneti_copy_in(dest, here, n);
    return GASNET_INVALID_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int val, size_t n) {
    void *here;
    if (!gasneti_find(node, dest, &here))
        return gasneti_memset_nb(GASNETI_FUNCTION("gasnet_memset_nb"), node, dest, val, n, 0);
    gasneti_fill(here, val, n);
    return GASNET_INVALID_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void *dest, gasnet_register_value_t v,
                                                 size_t n) {
    void *here;
    if (!gasneti_find(node, dest, &here))
        return gasneti_put_value(GASNETI_FUNCTION("gasnet_put_nb_val"), node, dest, v, n,
                                 GASNETI_NB_EXPLICIT);
    gasneti_copy_out(here, GASNETI_LOW_BYTES(&v, n), n);
    return GASNET_INVALID_HANDLE;
}
/* Hundreds may be outstanding, and end in any order; gasnet_wait_syncnb_valget() returns the value. */
GASNETI_INLINE gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, const void *src, size_t n) {
    return gasneti_get_nb_value(GASNETI_FUNCTION("gasnet_get_nb_val"), node, src, n);
}
GASNETI_INLINE gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle) {
    return gasneti_wait_value(GASNETI_FUNCTION("gasnet_wait_syncnb_valget"), handle);
}

/* Implicit handle. */
GASNETI_INLINE void gasnet_put_nbi(gasnet_node_t node, void *dest, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_copy_out(here, src, n);
    else
        (void)gasneti_put_nb(GASNETI_FUNCTION("gasnet_put_nbi"), node, dest, src, n, GASNETI_NB_IMPLICIT);
}
GASNETI_INLINE void gasnet_put_nbi_bulk(gasnet_node_t node, void *dest, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_copy_out(here, src, n);
    else
        (void)gasneti_put_nb(GASNETI_FUNCTION("gasnet_put_nbi_bulk"), node, dest, src, n,
                             GASNETI_NB_IMPLICIT | GASNETI_NB_BULK);
}
GASNETI_INLINE void gasnet_get_nbi(void *dest, gasnet_node_t node, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, src, &here))
        gasneti_copy_in(dest, here, n);
    else
        (void)gasneti_get_nb(GASNETI_FUNCTION("gasnet_get_nbi"), dest, node, src, n, GASNETI_NB_IMPLICIT);
}
GASNETI_INLINE void gasnet_get_nbi_bulk(void *dest, gasnet_node_t node, const void *src, size_t n) {
    void *here;
    if (gasneti_find(node, src, &here))
        gasneti_copy_in(dest, here, n);
    else
        (void)gasneti_get_nb(GASNETI_FUNCTION("gasnet_get_nbi_bulk"), dest, node, src, n,
                             GASNETI_NB_IMPLICIT);
}
GASNETI_INLINE void gasnet_memset_nbi(gasnet_node_t node, void *dest, int val, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_fill(here, val, n);
    else
        (void)gasneti_memset_nb(GASNETI_FUNCTION("gasnet_memset_nbi"), node, dest, val, n,
                                GASNETI_NB_IMPLICIT);
}
GASNETI_INLINE void gasnet_put_nbi_val(gasnet_node_t node, void *dest, gasnet_register_value_t v, size_t n) {
    void *here;
    if (gasneti_find(node, dest, &here))
        gasneti_copy_out(here, GASNETI_LOW_BYTES(&v, n), n);
    else
        (void)gasneti_put_value(GASNETI_FUNCTION("gasnet_put_nbi_val"), node, dest, v, n,
                                GASNETI_NB_IMPLICIT);
}

/*
 * Synchronising handles. try: GASNET_OK, or GASNET_ERR_NOT_READY; polls the network once, also when all is
 * complete. (Access to mapped memory, a wait for what is complete and implicit synchronisation with nothing
 * in flight do not: a loop of those alone must call gasnet_AMPoll() to serve messages.) In an array,
 * entries that are complete become GASNET_INVALID_HANDLE; such entries are ignored. _all: every operation;
 * _some: at least one of those that are valid, at once when none is. _nopoll: does not poll the network.
 */
GASNETI_INLINE void gasnet_wait_syncnb(gasnet_handle_t handle) {
    if (handle != GASNET_INVALID_HANDLE) gasneti_wait_nb(GASNETI_FUNCTION("gasnet_wait_syncnb"), handle);
}
GASNETI_INLINE int gasnet_try_syncnb(gasnet_handle_t handle) {
    return gasneti_try_nb(GASNETI_FUNCTION("gasnet_try_syncnb"), handle, 1);
}
GASNETI_INLINE int gasnet_try_syncnb_nopoll(gasnet_handle_t handle) {
    return handle == GASNET_INVALID_HANDLE
               ? GASNET_OK
               : gasneti_try_nb(GASNETI_FUNCTION("gasnet_try_syncnb_nopoll"), handle, 0);
}
GASNETI_INLINE void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t count) {
    gasneti_wait_nb_all(GASNETI_FUNCTION("gasnet_wait_syncnb_all"), handles, count);
}
GASNETI_INLINE int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t count) {
    return gasneti_try_nb_all(GASNETI_FUNCTION("gasnet_try_syncnb_all"), handles, count, 1);
}
GASNETI_INLINE int gasnet_try_syncnb_all_nopoll(gasnet_handle_t *handles, size_t count) {
    return gasneti_try_nb_all(GASNETI_FUNCTION("gasnet_try_syncnb_all_nopoll"), handles, count, 0);
}
GASNETI_INLINE void gasnet_wait_syncnb_some(gasnet_handle_t *handles, size_t count) {
    gasneti_wait_nb_some(GASNETI_FUNCTION("gasnet_wait_syncnb_some"), handles, count);
}
GASNETI_INLINE int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t count) {
    return gasneti_try_nb_some(GASNETI_FUNCTION("gasnet_try_syncnb_some"), handles, count, 1);
}
GASNETI_INLINE int gasnet_try_syncnb_some_nopoll(gasnet_handle_t *handles, size_t count) {
    return gasneti_try_nb_some(GASNETI_FUNCTION("gasnet_try_syncnb_some_nopoll"), handles, count, 0);
}

/* Synchronising this thread's implicit operations; a compare when there are none. Not in an access region. */
GASNETI_INLINE void gasnet_wait_syncnbi_puts(void) {
    if (gasneti_outstanding(GASNETI_PUTS))
        (void)gasneti_sync_nbi(GASNETI_FUNCTION("gasnet_wait_syncnbi_puts"), GASNETI_PUTS, 1);
}
GASNETI_INLINE void gasnet_wait_syncnbi_gets(void) {
    if (gasneti_outstanding(GASNETI_GETS))
        (void)gasneti_sync_nbi(GASNETI_FUNCTION("gasnet_wait_syncnbi_gets"), GASNETI_GETS, 1);
}
GASNETI_INLINE void gasnet_wait_syncnbi_all(void) {
    if (gasneti_outstanding(GASNETI_PUTS | GASNETI_GETS))
        (void)gasneti_sync_nbi(GASNETI_FUNCTION("gasnet_wait_syncnbi_all"), GASNETI_PUTS | GASNETI_GETS, 1);
}
GASNETI_INLINE int gasnet_try_syncnbi_puts(void) {
    return !gasneti_outstanding(GASNETI_PUTS)
               ? GASNET_OK
               : gasneti_sync_nbi(GASNETI_FUNCTION("gasnet_try_syncnbi_puts"), GASNETI_PUTS, 0);
}
GASNETI_INLINE int gasnet_try_syncnbi_gets(void) {
    return !gasneti_outstanding(GASNETI_GETS)
               ? GASNET_OK
               : gasneti_sync_nbi(GASNETI_FUNCTION("gasnet_try_syncnbi_gets"), GASNETI_GETS, 0);
}
GASNETI_INLINE int gasnet_try_syncnbi_all(void) {
    return !gasneti_outstanding(GASNETI_PUTS | GASNETI_GETS)
               ? GASNET_OK
               : gasneti_sync_nbi(GASNETI_FUNCTION("gasnet_try_syncnbi_all"), GASNETI_PUTS | GASNETI_GETS, 0);
}

/* An access region: not nested, and no synchronisation of implicit operations inside. */
extern GASNETI_API void gasnet_begin_nbi_accessregion(void);
extern GASNETI_API gasnet_handle_t gasnet_end_nbi_accessregion(void);

GASNETI_END_EXTERNC
