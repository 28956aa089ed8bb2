/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks and barriers (lock.h, barrier.h).
 */
#pragma once
#include "upcr/barrier.h"
#include "upcr/instrument/span.h"
#include "upcr/lock.h"

UPCRI_BEGIN_C

UPCRI_STATIC upcr_shared_ptr_t upcri_inst_global_lock_alloc(struct upcri_inst at) {
    upcr_shared_ptr_t lock;
    UPCRI_TELL0(GASP_UPC_GLOBAL_LOCK_ALLOC, GASP_START);
    lock = (upcr_global_lock_alloc)();
    UPCRI_EVENT(GASP_UPC_GLOBAL_LOCK_ALLOC, GASP_END, &lock);
    return lock;
}
UPCRI_STATIC upcr_shared_ptr_t upcri_inst_all_lock_alloc(struct upcri_inst at) {
    upcr_shared_ptr_t lock;
    UPCRI_TELL0(GASP_UPC_ALL_LOCK_ALLOC, GASP_START);
    lock = (upcr_all_lock_alloc)();
    UPCRI_EVENT(GASP_UPC_ALL_LOCK_ALLOC, GASP_END, &lock);
    return lock;
}
UPCRI_STATIC void upcri_inst_lock(struct upcri_inst at, upcr_shared_ptr_t lock) {
    UPCRI_SPAN(GASP_UPC_LOCK, (upcr_lock)(lock), &lock);
}
UPCRI_STATIC void upcri_inst_unlock(struct upcri_inst at, upcr_shared_ptr_t lock) {
    UPCRI_SPAN(GASP_UPC_UNLOCK, (upcr_unlock)(lock), &lock);
}
UPCRI_STATIC void upcri_inst_lock_free(struct upcri_inst at, upcr_shared_ptr_t lock) {
    UPCRI_SPAN(GASP_UPC_LOCK_FREE, (upcr_lock_free)(lock), &lock);
}
UPCRI_STATIC void upcri_inst_all_lock_free(struct upcri_inst at, upcr_shared_ptr_t lock) {
    UPCRI_SPAN(GASP_UPC_LOCK_FREE, (upcr_all_lock_free)(lock), &lock);
}
UPCRI_STATIC int upcri_inst_lock_attempt(struct upcri_inst at, upcr_shared_ptr_t lock) {
    int got;
    UPCRI_SPAN_GIVES(GASP_UPC_LOCK_ATTEMPT, got = (upcr_lock_attempt)(lock), got, &lock);
    return got;
}

/* Whether a barrier has a name, as events tell it. */
UPCRI_STATIC int upcri_inst_named(int flags) { return (flags & UPCR_BARRIERFLAG_ANONYMOUS) == 0; }
UPCRI_STATIC void upcri_inst_notify(struct upcri_inst at, int value, int flags) {
    UPCRI_SPAN(GASP_UPC_NOTIFY, (upcr_notify)(value, flags), upcri_inst_named(flags), value);
}
UPCRI_STATIC void upcri_inst_wait(struct upcri_inst at, int value, int flags) {
    UPCRI_SPAN(GASP_UPC_WAIT, (upcr_wait)(value, flags), upcri_inst_named(flags), value);
}
/* Reported when it ends the phase, so that to each notify there is one wait. */
UPCRI_STATIC int upcri_inst_try_wait(struct upcri_inst at, int value, int flags) {
    if (!(upcr_try_wait)(value, flags)) return 0;
    UPCRI_SPAN(GASP_UPC_WAIT, (void)0, upcri_inst_named(flags), value);
    return 1;
}
/* A barrier is both. */
UPCRI_STATIC void upcri_inst_barrier(struct upcri_inst at, int value, int flags) {
    UPCRI_SPAN(GASP_UPC_NOTIFY, (upcr_notify)(value, flags), upcri_inst_named(flags), value);
    UPCRI_SPAN(GASP_UPC_WAIT, (upcr_wait)(value, flags), upcri_inst_named(flags), value);
}

UPCRI_END_C

#undef upcr_global_lock_alloc
#define upcr_global_lock_alloc() upcri_inst_global_lock_alloc(UPCRI_INST_HERE)
#undef upcr_all_lock_alloc
#define upcr_all_lock_alloc() upcri_inst_all_lock_alloc(UPCRI_INST_HERE)
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
#undef upcr_notify
#define upcr_notify(...) upcri_inst_notify(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait
#define upcr_wait(...) upcri_inst_wait(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_try_wait
#define upcr_try_wait(...) upcri_inst_try_wait(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_barrier
#define upcr_barrier(...) upcri_inst_barrier(UPCRI_INST_HERE, __VA_ARGS__)
