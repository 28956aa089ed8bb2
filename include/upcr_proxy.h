/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The upper-case names of the UPC Runtime, which the Open64-based translators (whirl2c) write: each is the
 * lower-case function of the same name, which documents it. Included by translated code after upcr.h.
 *
 * Object-like wherever the arguments are the same, so that a space before the argument list is fine; every
 * argument is evaluated once; results are values.
 */
#pragma once
#include "upcr.h"

/* The language's own: int expressions. A program for a static number of threads has THREADS as a number. */
#ifndef MYTHREAD
#define MYTHREAD ((int)upcr_mythread())
#endif
#if !defined(THREADS) && !defined(__UPC_STATIC_THREADS__)
#define THREADS ((int)upcr_threads())
#endif

/* Handles may be in variables of other types of their size. */
UPCRI_STATIC upcr_handle_t upcri_handle_bits(const void *variable) {
    upcr_handle_t handle;
    memcpy(&handle, variable, sizeof handle);
    return handle;
}
UPCRI_STATIC upcr_valget_handle_t upcri_valget_handle_bits(const void *variable) {
    upcr_valget_handle_t handle;
    memcpy(&handle, variable, sizeof handle);
    return handle;
}

/*
 * Conversion between the translator's types and the runtime's: UPCR_RET_ for results, UPCR_ARG_
 * for arguments. All are the same types here, except handles and register values as arguments.
 */
#define UPCR_RET_shared_ptr_t(p) (p)
#define UPCR_ARG_shared_ptr_t(p) (p)
#define UPCR_RET_pshared_ptr_t(p) (p)
#define UPCR_ARG_pshared_ptr_t(p) (p)
#define UPCR_RET_handle_t(h) (h)
#define UPCR_ARG_handle_t(h) upcri_handle_bits(&(h))
#define UPCR_RET_val_handle_t(h) (h)
#define UPCR_ARG_val_handle_t(h) upcri_valget_handle_bits(&(h))
#define UPCR_RET_reg_value_t(v) (v)
#define UPCR_ARG_reg_value_t(v) ((upcr_register_value_t)(v))

#define upcr_add_shared_ptr upcr_add_shared

/* Shared heap and locks: heap.h, lock.h. */
#define UPCR_ALLOC upcr_alloc
#define UPCR_LOCAL_ALLOC upcr_local_alloc
#define UPCR_GLOBAL_ALLOC upcr_global_alloc
#define UPCR_ALL_ALLOC upcr_all_alloc
#define UPCR_FREE upcr_free
#define UPCR_GLOBAL_LOCK_ALLOC upcr_global_lock_alloc
#define UPCR_ALL_LOCK_ALLOC upcr_all_lock_alloc
#define UPCR_LOCK upcr_lock
#define UPCR_LOCK_ATTEMPT upcr_lock_attempt
#define UPCR_UNLOCK upcr_unlock
#define UPCR_LOCK_FREE upcr_lock_free

/* Puts and gets: access.h, nb.h, val.h. */
#define UPCR_PUT_SHARED upcr_put_shared
#define UPCR_PUT_NB_SHARED upcr_put_nb_shared
#define UPCR_PUT_NBI_SHARED upcr_put_nbi_shared
#define UPCR_PUT_SHARED_STRICT upcr_put_shared_strict
#define UPCR_PUT_NB_SHARED_STRICT upcr_put_nb_shared_strict
#define UPCR_PUT_SHARED_FLOATVAL upcr_put_shared_floatval
#define UPCR_PUT_SHARED_DOUBLEVAL upcr_put_shared_doubleval
#define UPCR_PUT_SHARED_FLOATVAL_STRICT upcr_put_shared_floatval_strict
#define UPCR_PUT_SHARED_DOUBLEVAL_STRICT upcr_put_shared_doubleval_strict
#define UPCR_PUT_PSHARED upcr_put_pshared
#define UPCR_PUT_NB_PSHARED upcr_put_nb_pshared
#define UPCR_PUT_NBI_PSHARED upcr_put_nbi_pshared
#define UPCR_PUT_PSHARED_STRICT upcr_put_pshared_strict
#define UPCR_PUT_NB_PSHARED_STRICT upcr_put_nb_pshared_strict
#define UPCR_PUT_PSHARED_FLOATVAL upcr_put_pshared_floatval
#define UPCR_PUT_PSHARED_DOUBLEVAL upcr_put_pshared_doubleval
#define UPCR_PUT_PSHARED_FLOATVAL_STRICT upcr_put_pshared_floatval_strict
#define UPCR_PUT_PSHARED_DOUBLEVAL_STRICT upcr_put_pshared_doubleval_strict
#define UPCR_GET_SHARED upcr_get_shared
#define UPCR_GET_NB_SHARED upcr_get_nb_shared
#define UPCR_GET_NBI_SHARED upcr_get_nbi_shared
#define UPCR_GET_SHARED_STRICT upcr_get_shared_strict
#define UPCR_GET_NB_SHARED_STRICT upcr_get_nb_shared_strict
#define UPCR_GET_SHARED_VAL upcr_get_shared_val
#define UPCR_GET_NB_SHARED_VAL upcr_get_nb_shared_val
#define UPCR_GET_SHARED_VAL_STRICT upcr_get_shared_val_strict
#define UPCR_GET_SHARED_FLOATVAL upcr_get_shared_floatval
#define UPCR_GET_SHARED_DOUBLEVAL upcr_get_shared_doubleval
#define UPCR_GET_SHARED_FLOATVAL_STRICT upcr_get_shared_floatval_strict
#define UPCR_GET_SHARED_DOUBLEVAL_STRICT upcr_get_shared_doubleval_strict
#define UPCR_GET_PSHARED upcr_get_pshared
#define UPCR_GET_NB_PSHARED upcr_get_nb_pshared
#define UPCR_GET_NBI_PSHARED upcr_get_nbi_pshared
#define UPCR_GET_PSHARED_STRICT upcr_get_pshared_strict
#define UPCR_GET_NB_PSHARED_STRICT upcr_get_nb_pshared_strict
#define UPCR_GET_PSHARED_VAL upcr_get_pshared_val
#define UPCR_GET_NB_PSHARED_VAL upcr_get_nb_pshared_val
#define UPCR_GET_PSHARED_VAL_STRICT upcr_get_pshared_val_strict
#define UPCR_GET_PSHARED_FLOATVAL upcr_get_pshared_floatval
#define UPCR_GET_PSHARED_DOUBLEVAL upcr_get_pshared_doubleval
#define UPCR_GET_PSHARED_FLOATVAL_STRICT upcr_get_pshared_floatval_strict
#define UPCR_GET_PSHARED_DOUBLEVAL_STRICT upcr_get_pshared_doubleval_strict

/* Value puts: the value may be any integer or pointer type. */
#define UPCR_PUT_SHARED_VAL(dest, offset, value, nbytes) \
    upcr_put_shared_val(dest, offset, (upcr_register_value_t)(value), nbytes)
#define UPCR_PUT_NB_SHARED_VAL(dest, offset, value, nbytes) \
    upcr_put_nb_shared_val(dest, offset, (upcr_register_value_t)(value), nbytes)
#define UPCR_PUT_SHARED_VAL_STRICT(dest, offset, value, nbytes) \
    upcr_put_shared_val_strict(dest, offset, (upcr_register_value_t)(value), nbytes)
#define UPCR_PUT_NB_SHARED_VAL_STRICT(dest, offset, value, nbytes) \
    upcr_put_nb_shared_val_strict(dest, offset, (upcr_register_value_t)(value), nbytes)
#define UPCR_PUT_PSHARED_VAL(dest, offset, value, nbytes) \
    upcr_put_pshared_val(dest, offset, (upcr_register_value_t)(value), nbytes)
#define UPCR_PUT_NB_PSHARED_VAL(dest, offset, value, nbytes) \
    upcr_put_nb_pshared_val(dest, offset, (upcr_register_value_t)(value), nbytes)
#define UPCR_PUT_PSHARED_VAL_STRICT(dest, offset, value, nbytes) \
    upcr_put_pshared_val_strict(dest, offset, (upcr_register_value_t)(value), nbytes)
#define UPCR_PUT_NB_PSHARED_VAL_STRICT(dest, offset, value, nbytes) \
    upcr_put_nb_pshared_val_strict(dest, offset, (upcr_register_value_t)(value), nbytes)

/* Completion: nb.h. */
#define UPCR_WAIT_SYNCNBI_GETS upcr_wait_syncnbi_gets
#define UPCR_WAIT_SYNCNBI_PUTS upcr_wait_syncnbi_puts
#define UPCR_WAIT_SYNCNBI_ALL upcr_wait_syncnbi_all
#define UPCR_BEGIN_NBI_ACCESSREGION upcr_begin_nbi_accessregion
#define UPCR_END_NBI_ACCESSREGION upcr_end_nbi_accessregion

/* The handle is read as bits: a variable of any type of its size will do. */
#define UPCR_WAIT_SYNCNB(handle) upcr_wait_syncnb(upcri_handle_bits(&(handle)))
#define UPCR_WAIT_SYNCNB_STRICT(handle) upcr_wait_syncnb_strict(upcri_handle_bits(&(handle)))
#define UPCR_TRY_SYNCNB(handle) upcr_try_syncnb(upcri_handle_bits(&(handle)))
#define UPCR_TRY_SYNCNB_STRICT(handle) upcr_try_syncnb_strict(upcri_handle_bits(&(handle)))
#define UPCR_WAIT_SYNCNB_VALGET(handle) upcr_wait_syncnb_valget(upcri_valget_handle_bits(&(handle)))

/* Blocks of memory: bulk.h. */
#define UPCR_MEMGET upcr_memget
#define UPCR_MEMPUT upcr_memput
#define UPCR_MEMSET upcr_memset
#define UPCR_MEMCPY upcr_memcpy
#define UPCR_NB_MEMGET upcr_nb_memget
#define UPCR_NB_MEMPUT upcr_nb_memput
#define UPCR_NB_MEMSET upcr_nb_memset
#define UPCR_NB_MEMCPY upcr_nb_memcpy

/* Pointers-to-shared: sptr.h. */
#define UPCR_ISVALID_SHARED upcr_isvalid_shared
#define UPCR_ISVALID_PSHARED upcr_isvalid_pshared
#define UPCR_ISNULL_SHARED upcr_isnull_shared
#define UPCR_ISNULL_PSHARED upcr_isnull_pshared
#define UPCR_SHARED_TO_LOCAL upcr_shared_to_local
#define UPCR_PSHARED_TO_LOCAL upcr_pshared_to_local
#define UPCR_SHARED_TO_PSHARED upcr_shared_to_pshared
#define UPCR_PSHARED_TO_SHARED upcr_pshared_to_shared
#define UPCR_SHARED_RESETPHASE upcr_shared_resetphase
#define UPCR_THREADOF_SHARED upcr_threadof_shared
#define UPCR_THREADOF_PSHARED upcr_threadof_pshared
#define UPCR_PHASEOF_SHARED upcr_phaseof_shared
#define UPCR_PHASEOF_PSHARED upcr_phaseof_pshared
#define UPCR_ADDRFIELD_SHARED upcr_addrfield_shared
#define UPCR_ADDRFIELD_PSHARED upcr_addrfield_pshared
#define UPCR_SETNULL_SHARED upcr_setnull_shared
#define UPCR_SETNULL_PSHARED upcr_setnull_pshared
#define UPCR_ADD_SHARED upcr_add_shared
#define UPCR_ADD_PSHAREDI upcr_add_psharedI
#define UPCR_ADD_PSHARED1 upcr_add_pshared1
#define UPCR_ISEQUAL_SHARED_SHARED upcr_isequal_shared_shared
#define UPCR_ISEQUAL_SHARED_PSHARED upcr_isequal_shared_pshared
#define UPCR_ISEQUAL_PSHARED_PSHARED upcr_isequal_pshared_pshared
#define UPCR_SUB_SHARED upcr_sub_shared
#define UPCR_SUB_PSHAREDI upcr_sub_psharedI
#define UPCR_SUB_PSHARED1 upcr_sub_pshared1
/* Not written by whirl2c; completes the set. */
#define UPCR_ISEQUAL_PSHARED_SHARED upcr_isequal_pshared_shared
