/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Debug builds: every call that can fail a check says first where it stands, so that the message names the
 * line, in hand-written C too (in translated C, __FILE__ and __LINE__ are the UPC source's by #line).
 * Included last by upcr.h. Nothing here is for users; UPCR_NO_SRCPOS leaves it out, and so does
 * UPCR_NO_CALLSITES, which a file needs that declares one of these functions again: the macros would take
 * the declaration for a call. With the latter, UPCR_BEGIN_FUNCTION and the like still say where they stand.
 * tests/headers/callsites.py finds the functions that are missing here.
 */
#pragma once
#include "upcr/async.h"
#include "upcr/barrier.h"
#include "upcr/bulk.h"
#include "upcr/coll.h"
#include "upcr/heap.h"
#include "upcr/init.h"
#include "upcr/lock.h"
#include "upcr/misc.h"
#include "upcr/val.h"

#if UPCR_DEBUG && !defined(UPCR_NO_SRCPOS) && !defined(UPCR_NO_CALLSITES) && !defined(UPCR_BUILDING_LIBRARY)
#define UPCRI_AT(call) (upcri_set_srcpos(__FILE__, __LINE__), call)

/* sptr.h */
#define upcr_shared_to_local(...) UPCRI_AT(upcr_shared_to_local(__VA_ARGS__))
#define upcr_pshared_to_local(...) UPCRI_AT(upcr_pshared_to_local(__VA_ARGS__))
#define upcr_shared_to_processlocal(...) UPCRI_AT(upcr_shared_to_processlocal(__VA_ARGS__))
#define upcr_pshared_to_processlocal(...) UPCRI_AT(upcr_pshared_to_processlocal(__VA_ARGS__))
#define upcr_sub_shared(...) UPCRI_AT(upcr_sub_shared(__VA_ARGS__))
#define upcr_sub_psharedI(...) UPCRI_AT(upcr_sub_psharedI(__VA_ARGS__))
#define upcr_sub_pshared1(...) UPCRI_AT(upcr_sub_pshared1(__VA_ARGS__))
#define upcr_add_shared(...) UPCRI_AT(upcr_add_shared(__VA_ARGS__))
#define upcr_add_psharedI(...) UPCRI_AT(upcr_add_psharedI(__VA_ARGS__))
#define upcr_add_pshared1(...) UPCRI_AT(upcr_add_pshared1(__VA_ARGS__))
#define upcr_inc_shared(...) UPCRI_AT(upcr_inc_shared(__VA_ARGS__))
#define upcr_inc_psharedI(...) UPCRI_AT(upcr_inc_psharedI(__VA_ARGS__))
#define upcr_inc_pshared1(...) UPCRI_AT(upcr_inc_pshared1(__VA_ARGS__))
#define upcr_local_to_shared(...) UPCRI_AT(upcr_local_to_shared(__VA_ARGS__))
#define upcr_local_to_shared_ref(...) UPCRI_AT(upcr_local_to_shared_ref(__VA_ARGS__))
#define upcr_local_to_pshared(...) UPCRI_AT(upcr_local_to_pshared(__VA_ARGS__))
#define upcr_local_to_pshared_ref(...) UPCRI_AT(upcr_local_to_pshared_ref(__VA_ARGS__))
#define upcr_local_to_shared_withphase(...) UPCRI_AT(upcr_local_to_shared_withphase(__VA_ARGS__))
#define upcr_local_to_shared_ref_withphase(...) UPCRI_AT(upcr_local_to_shared_ref_withphase(__VA_ARGS__))
#define upcr_mylocal_to_shared_withphase(...) UPCRI_AT(upcr_mylocal_to_shared_withphase(__VA_ARGS__))
#define _bupc_local_to_shared(...) UPCRI_AT(_bupc_local_to_shared(__VA_ARGS__))
#define _bupc_ptradd(...) UPCRI_AT(_bupc_ptradd(__VA_ARGS__))

/* access.h */
#define upcr_put_shared(...) UPCRI_AT(upcr_put_shared(__VA_ARGS__))
#define upcr_put_shared_strict(...) UPCRI_AT(upcr_put_shared_strict(__VA_ARGS__))
#define upcr_get_shared(...) UPCRI_AT(upcr_get_shared(__VA_ARGS__))
#define upcr_get_shared_strict(...) UPCRI_AT(upcr_get_shared_strict(__VA_ARGS__))
#define upcr_put_pshared(...) UPCRI_AT(upcr_put_pshared(__VA_ARGS__))
#define upcr_put_pshared_strict(...) UPCRI_AT(upcr_put_pshared_strict(__VA_ARGS__))
#define upcr_get_pshared(...) UPCRI_AT(upcr_get_pshared(__VA_ARGS__))
#define upcr_get_pshared_strict(...) UPCRI_AT(upcr_get_pshared_strict(__VA_ARGS__))

/* val.h */
#define upcr_put_shared_val(...) UPCRI_AT(upcr_put_shared_val(__VA_ARGS__))
#define upcr_put_shared_val_strict(...) UPCRI_AT(upcr_put_shared_val_strict(__VA_ARGS__))
#define upcr_put_shared_floatval(...) UPCRI_AT(upcr_put_shared_floatval(__VA_ARGS__))
#define upcr_put_shared_floatval_strict(...) UPCRI_AT(upcr_put_shared_floatval_strict(__VA_ARGS__))
#define upcr_put_shared_doubleval(...) UPCRI_AT(upcr_put_shared_doubleval(__VA_ARGS__))
#define upcr_put_shared_doubleval_strict(...) UPCRI_AT(upcr_put_shared_doubleval_strict(__VA_ARGS__))
#define upcr_get_shared_val(...) UPCRI_AT(upcr_get_shared_val(__VA_ARGS__))
#define upcr_get_shared_val_strict(...) UPCRI_AT(upcr_get_shared_val_strict(__VA_ARGS__))
#define upcr_get_shared_floatval(...) UPCRI_AT(upcr_get_shared_floatval(__VA_ARGS__))
#define upcr_get_shared_floatval_strict(...) UPCRI_AT(upcr_get_shared_floatval_strict(__VA_ARGS__))
#define upcr_get_shared_doubleval(...) UPCRI_AT(upcr_get_shared_doubleval(__VA_ARGS__))
#define upcr_get_shared_doubleval_strict(...) UPCRI_AT(upcr_get_shared_doubleval_strict(__VA_ARGS__))
#define upcr_put_pshared_val(...) UPCRI_AT(upcr_put_pshared_val(__VA_ARGS__))
#define upcr_put_pshared_val_strict(...) UPCRI_AT(upcr_put_pshared_val_strict(__VA_ARGS__))
#define upcr_put_pshared_floatval(...) UPCRI_AT(upcr_put_pshared_floatval(__VA_ARGS__))
#define upcr_put_pshared_floatval_strict(...) UPCRI_AT(upcr_put_pshared_floatval_strict(__VA_ARGS__))
#define upcr_put_pshared_doubleval(...) UPCRI_AT(upcr_put_pshared_doubleval(__VA_ARGS__))
#define upcr_put_pshared_doubleval_strict(...) UPCRI_AT(upcr_put_pshared_doubleval_strict(__VA_ARGS__))
#define upcr_get_pshared_val(...) UPCRI_AT(upcr_get_pshared_val(__VA_ARGS__))
#define upcr_get_pshared_val_strict(...) UPCRI_AT(upcr_get_pshared_val_strict(__VA_ARGS__))
#define upcr_get_pshared_floatval(...) UPCRI_AT(upcr_get_pshared_floatval(__VA_ARGS__))
#define upcr_get_pshared_floatval_strict(...) UPCRI_AT(upcr_get_pshared_floatval_strict(__VA_ARGS__))
#define upcr_get_pshared_doubleval(...) UPCRI_AT(upcr_get_pshared_doubleval(__VA_ARGS__))
#define upcr_get_pshared_doubleval_strict(...) UPCRI_AT(upcr_get_pshared_doubleval_strict(__VA_ARGS__))

/* nb.h */
#define upcr_put_nb_shared(...) UPCRI_AT(upcr_put_nb_shared(__VA_ARGS__))
#define upcr_put_nb_shared_strict(...) UPCRI_AT(upcr_put_nb_shared_strict(__VA_ARGS__))
#define upcr_put_nb_shared_val(...) UPCRI_AT(upcr_put_nb_shared_val(__VA_ARGS__))
#define upcr_put_nb_shared_val_strict(...) UPCRI_AT(upcr_put_nb_shared_val_strict(__VA_ARGS__))
#define upcr_get_nb_shared(...) UPCRI_AT(upcr_get_nb_shared(__VA_ARGS__))
#define upcr_get_nb_shared_strict(...) UPCRI_AT(upcr_get_nb_shared_strict(__VA_ARGS__))
#define upcr_get_nb_shared_val(...) UPCRI_AT(upcr_get_nb_shared_val(__VA_ARGS__))
#define upcr_get_nb_shared_val_strict(...) UPCRI_AT(upcr_get_nb_shared_val_strict(__VA_ARGS__))
#define upcr_put_nbi_shared(...) UPCRI_AT(upcr_put_nbi_shared(__VA_ARGS__))
#define upcr_get_nbi_shared(...) UPCRI_AT(upcr_get_nbi_shared(__VA_ARGS__))
#define upcr_put_nbi_shared_val(...) UPCRI_AT(upcr_put_nbi_shared_val(__VA_ARGS__))
#define upcr_put_nb_pshared(...) UPCRI_AT(upcr_put_nb_pshared(__VA_ARGS__))
#define upcr_put_nb_pshared_strict(...) UPCRI_AT(upcr_put_nb_pshared_strict(__VA_ARGS__))
#define upcr_put_nb_pshared_val(...) UPCRI_AT(upcr_put_nb_pshared_val(__VA_ARGS__))
#define upcr_put_nb_pshared_val_strict(...) UPCRI_AT(upcr_put_nb_pshared_val_strict(__VA_ARGS__))
#define upcr_get_nb_pshared(...) UPCRI_AT(upcr_get_nb_pshared(__VA_ARGS__))
#define upcr_get_nb_pshared_strict(...) UPCRI_AT(upcr_get_nb_pshared_strict(__VA_ARGS__))
#define upcr_get_nb_pshared_val(...) UPCRI_AT(upcr_get_nb_pshared_val(__VA_ARGS__))
#define upcr_get_nb_pshared_val_strict(...) UPCRI_AT(upcr_get_nb_pshared_val_strict(__VA_ARGS__))
#define upcr_put_nbi_pshared(...) UPCRI_AT(upcr_put_nbi_pshared(__VA_ARGS__))
#define upcr_get_nbi_pshared(...) UPCRI_AT(upcr_get_nbi_pshared(__VA_ARGS__))
#define upcr_put_nbi_pshared_val(...) UPCRI_AT(upcr_put_nbi_pshared_val(__VA_ARGS__))
#define upcr_wait_syncnb(...) UPCRI_AT(upcr_wait_syncnb(__VA_ARGS__))
#define upcr_wait_syncnb_strict(...) UPCRI_AT(upcr_wait_syncnb_strict(__VA_ARGS__))
#define upcr_wait_syncnb_all(...) UPCRI_AT(upcr_wait_syncnb_all(__VA_ARGS__))
#define upcr_wait_syncnb_some(...) UPCRI_AT(upcr_wait_syncnb_some(__VA_ARGS__))
#define upcr_try_syncnb(...) UPCRI_AT(upcr_try_syncnb(__VA_ARGS__))
#define upcr_try_syncnb_strict(...) UPCRI_AT(upcr_try_syncnb_strict(__VA_ARGS__))
#define upcr_try_syncnb_all(...) UPCRI_AT(upcr_try_syncnb_all(__VA_ARGS__))
#define upcr_try_syncnb_some(...) UPCRI_AT(upcr_try_syncnb_some(__VA_ARGS__))
#define upcr_wait_syncnb_valget(...) UPCRI_AT(upcr_wait_syncnb_valget(__VA_ARGS__))
#define upcr_waitsync(...) UPCRI_AT(upcr_waitsync(__VA_ARGS__))
#define upcr_trysync(...) UPCRI_AT(upcr_trysync(__VA_ARGS__))
#define upcr_wait_syncnbi_gets() UPCRI_AT(upcr_wait_syncnbi_gets())
#define upcr_wait_syncnbi_puts() UPCRI_AT(upcr_wait_syncnbi_puts())
#define upcr_wait_syncnbi_all() UPCRI_AT(upcr_wait_syncnbi_all())
#define upcr_try_syncnbi_gets() UPCRI_AT(upcr_try_syncnbi_gets())
#define upcr_try_syncnbi_puts() UPCRI_AT(upcr_try_syncnbi_puts())
#define upcr_try_syncnbi_all() UPCRI_AT(upcr_try_syncnbi_all())
#define upcr_begin_nbi_accessregion() UPCRI_AT(upcr_begin_nbi_accessregion())
#define upcr_end_nbi_accessregion() UPCRI_AT(upcr_end_nbi_accessregion())

/* bulk.h */
#define upcr_memget(...) UPCRI_AT(upcr_memget(__VA_ARGS__))
#define upcr_memput(...) UPCRI_AT(upcr_memput(__VA_ARGS__))
#define upcr_memcpy(...) UPCRI_AT(upcr_memcpy(__VA_ARGS__))
#define upcr_memset(...) UPCRI_AT(upcr_memset(__VA_ARGS__))
#define upcr_nb_memget(...) UPCRI_AT(upcr_nb_memget(__VA_ARGS__))
#define upcr_nb_memput(...) UPCRI_AT(upcr_nb_memput(__VA_ARGS__))
#define upcr_nb_memcpy(...) UPCRI_AT(upcr_nb_memcpy(__VA_ARGS__))
#define upcr_nb_memset(...) UPCRI_AT(upcr_nb_memset(__VA_ARGS__))
#define upcr_nbi_memget(...) UPCRI_AT(upcr_nbi_memget(__VA_ARGS__))
#define upcr_nbi_memput(...) UPCRI_AT(upcr_nbi_memput(__VA_ARGS__))
#define upcr_nbi_memcpy(...) UPCRI_AT(upcr_nbi_memcpy(__VA_ARGS__))
#define upcr_nbi_memset(...) UPCRI_AT(upcr_nbi_memset(__VA_ARGS__))
#define upcr_memget_nb(...) UPCRI_AT(upcr_memget_nb(__VA_ARGS__))
#define upcr_memput_nb(...) UPCRI_AT(upcr_memput_nb(__VA_ARGS__))
#define upcr_memcpy_nb(...) UPCRI_AT(upcr_memcpy_nb(__VA_ARGS__))
#define upcr_memset_nb(...) UPCRI_AT(upcr_memset_nb(__VA_ARGS__))

/* async.h */
#define bupc_memcpy_async(...) UPCRI_AT(bupc_memcpy_async(__VA_ARGS__))
#define bupc_memget_async(...) UPCRI_AT(bupc_memget_async(__VA_ARGS__))
#define bupc_memput_async(...) UPCRI_AT(bupc_memput_async(__VA_ARGS__))
#define bupc_memset_async(...) UPCRI_AT(bupc_memset_async(__VA_ARGS__))
#define bupc_memcpy_asynci(...) UPCRI_AT(bupc_memcpy_asynci(__VA_ARGS__))
#define bupc_memget_asynci(...) UPCRI_AT(bupc_memget_asynci(__VA_ARGS__))
#define bupc_memput_asynci(...) UPCRI_AT(bupc_memput_asynci(__VA_ARGS__))
#define bupc_memset_asynci(...) UPCRI_AT(bupc_memset_asynci(__VA_ARGS__))
#define bupc_waitsync(...) UPCRI_AT(bupc_waitsync(__VA_ARGS__))
#define bupc_trysync(...) UPCRI_AT(bupc_trysync(__VA_ARGS__))
#define bupc_waitsync_all(...) UPCRI_AT(bupc_waitsync_all(__VA_ARGS__))
#define bupc_trysync_all(...) UPCRI_AT(bupc_trysync_all(__VA_ARGS__))
#define bupc_waitsync_some(...) UPCRI_AT(bupc_waitsync_some(__VA_ARGS__))
#define bupc_trysync_some(...) UPCRI_AT(bupc_trysync_some(__VA_ARGS__))
#define bupc_waitsynci() UPCRI_AT(bupc_waitsynci())
#define bupc_trysynci() UPCRI_AT(bupc_trysynci())
#define bupc_begin_accessregion() UPCRI_AT(bupc_begin_accessregion())
#define bupc_end_accessregion() UPCRI_AT(bupc_end_accessregion())

/* coll.h; a file of an older translator has macros of these names already */
#if UPCRI_ENCODING == 0
#define bupc_all_broadcast(...) UPCRI_AT(bupc_all_broadcast(__VA_ARGS__))
#define bupc_all_scatter(...) UPCRI_AT(bupc_all_scatter(__VA_ARGS__))
#define bupc_all_gather(...) UPCRI_AT(bupc_all_gather(__VA_ARGS__))
#define bupc_all_gather_all(...) UPCRI_AT(bupc_all_gather_all(__VA_ARGS__))
#define bupc_all_exchange(...) UPCRI_AT(bupc_all_exchange(__VA_ARGS__))
#define bupc_all_permute(...) UPCRI_AT(bupc_all_permute(__VA_ARGS__))
#endif

/* heap.h, lock.h */
#define upcr_alloc(...) UPCRI_AT(upcr_alloc(__VA_ARGS__))
#define upcr_local_alloc(...) UPCRI_AT(upcr_local_alloc(__VA_ARGS__))
#define upcr_global_alloc(...) UPCRI_AT(upcr_global_alloc(__VA_ARGS__))
#define upcr_all_alloc(...) UPCRI_AT(upcr_all_alloc(__VA_ARGS__))
#define upcr_free(...) UPCRI_AT(upcr_free(__VA_ARGS__))
#define upcr_all_free(...) UPCRI_AT(upcr_all_free(__VA_ARGS__))
#define upcr_global_lock_alloc() UPCRI_AT(upcr_global_lock_alloc())
#define upcr_all_lock_alloc() UPCRI_AT(upcr_all_lock_alloc())
#define upcr_lock(...) UPCRI_AT(upcr_lock(__VA_ARGS__))
#define upcr_lock_attempt(...) UPCRI_AT(upcr_lock_attempt(__VA_ARGS__))
#define upcr_unlock(...) UPCRI_AT(upcr_unlock(__VA_ARGS__))
#define upcr_lock_free(...) UPCRI_AT(upcr_lock_free(__VA_ARGS__))
#define upcr_all_lock_free(...) UPCRI_AT(upcr_all_lock_free(__VA_ARGS__))

/* barrier.h, misc.h, init.h */
#define upcr_notify(...) UPCRI_AT(upcr_notify(__VA_ARGS__))
#define upcr_wait(...) UPCRI_AT(upcr_wait(__VA_ARGS__))
#define upcr_try_wait(...) UPCRI_AT(upcr_try_wait(__VA_ARGS__))
#define upcr_barrier(...) UPCRI_AT(upcr_barrier(__VA_ARGS__))
#define upcr_poll() UPCRI_AT(upcr_poll())
#define upcr_poll_nofence() UPCRI_AT(upcr_poll_nofence())
#define bupc_thread_distance(...) UPCRI_AT(bupc_thread_distance(__VA_ARGS__))
#define bupc_thread_castable(...) UPCRI_AT(bupc_thread_castable(__VA_ARGS__))
#define upcr_exit(...) UPCRI_AT(upcr_exit(__VA_ARGS__))
#endif
