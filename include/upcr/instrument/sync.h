/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Synchronisation of non-blocking operations, scalar and bulk (nb.h, bulk.h, async.h). An event's handle is
 * null where the call is about several operations: those of an array, or all implicit ones.
 */
#pragma once
#include "upcr/async.h"
#include "upcr/instrument/span.h"
#include "upcr/nb.h"

UPCRI_BEGIN_C

UPCRI_STATIC void upcri_inst_wait_syncnb(struct upcri_inst at, upcr_handle_t handle) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_wait_syncnb)(handle), handle);
}
UPCRI_STATIC void upcri_inst_wait_syncnb_strict(struct upcri_inst at, upcr_handle_t handle) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_wait_syncnb_strict)(handle), handle);
}
UPCRI_STATIC void upcri_inst_waitsync(struct upcri_inst at, upcr_handle_t handle) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_waitsync)(handle), handle);
}
UPCRI_STATIC void upcri_inst_bupc_waitsync(struct upcri_inst at, upcr_handle_t handle) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (bupc_waitsync)(handle), handle);
}
UPCRI_STATIC upcr_register_value_t upcri_inst_wait_syncnb_valget(struct upcri_inst at,
                                                                 upcr_valget_handle_t handle) {
    upcr_register_value_t value;
    UPCRI_SPAN(GASP_UPC_NB_SYNC, value = (upcr_wait_syncnb_valget)(handle), (upcr_handle_t)handle);
    return value;
}
UPCRI_STATIC int upcri_inst_try_syncnb(struct upcri_inst at, upcr_handle_t handle) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_try_syncnb)(handle), done, handle);
    return done;
}
UPCRI_STATIC int upcri_inst_try_syncnb_strict(struct upcri_inst at, upcr_handle_t handle) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_try_syncnb_strict)(handle), done, handle);
    return done;
}
UPCRI_STATIC int upcri_inst_trysync(struct upcri_inst at, upcr_handle_t handle) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_trysync)(handle), done, handle);
    return done;
}
UPCRI_STATIC int upcri_inst_bupc_trysync(struct upcri_inst at, upcr_handle_t handle) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (bupc_trysync)(handle), done, handle);
    return done;
}
UPCRI_STATIC void upcri_inst_wait_syncnb_all(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_wait_syncnb_all)(ph, n), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC void upcri_inst_wait_syncnb_some(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_wait_syncnb_some)(ph, n), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC void upcri_inst_bupc_waitsync_all(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (bupc_waitsync_all)(ph, n), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC void upcri_inst_bupc_waitsync_some(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (bupc_waitsync_some)(ph, n), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC int upcri_inst_try_syncnb_all(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_try_syncnb_all)(ph, n), done, UPCR_INVALID_HANDLE);
    return done;
}
UPCRI_STATIC int upcri_inst_try_syncnb_some(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_try_syncnb_some)(ph, n), done, UPCR_INVALID_HANDLE);
    return done;
}
UPCRI_STATIC int upcri_inst_bupc_trysync_all(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (bupc_trysync_all)(ph, n), done, UPCR_INVALID_HANDLE);
    return done;
}
UPCRI_STATIC int upcri_inst_bupc_trysync_some(struct upcri_inst at, upcr_handle_t *ph, size_t n) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (bupc_trysync_some)(ph, n), done, UPCR_INVALID_HANDLE);
    return done;
}
UPCRI_STATIC void upcri_inst_wait_syncnbi_gets(struct upcri_inst at) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_wait_syncnbi_gets)(), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC void upcri_inst_wait_syncnbi_puts(struct upcri_inst at) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_wait_syncnbi_puts)(), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC void upcri_inst_wait_syncnbi_all(struct upcri_inst at) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (upcr_wait_syncnbi_all)(), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC void upcri_inst_bupc_waitsynci(struct upcri_inst at) {
    UPCRI_SPAN(GASP_UPC_NB_SYNC, (bupc_waitsynci)(), UPCR_INVALID_HANDLE);
}
UPCRI_STATIC int upcri_inst_try_syncnbi_gets(struct upcri_inst at) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_try_syncnbi_gets)(), done, UPCR_INVALID_HANDLE);
    return done;
}
UPCRI_STATIC int upcri_inst_try_syncnbi_puts(struct upcri_inst at) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_try_syncnbi_puts)(), done, UPCR_INVALID_HANDLE);
    return done;
}
UPCRI_STATIC int upcri_inst_try_syncnbi_all(struct upcri_inst at) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (upcr_try_syncnbi_all)(), done, UPCR_INVALID_HANDLE);
    return done;
}
UPCRI_STATIC int upcri_inst_bupc_trysynci(struct upcri_inst at) {
    int done;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_TRYSYNC, done = (bupc_trysynci)(), done, UPCR_INVALID_HANDLE);
    return done;
}

UPCRI_END_C

#undef upcr_wait_syncnb
#define upcr_wait_syncnb(...) upcri_inst_wait_syncnb(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnb_strict
#define upcr_wait_syncnb_strict(...) upcri_inst_wait_syncnb_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_waitsync
#define upcr_waitsync(...) upcri_inst_waitsync(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_waitsync
#define bupc_waitsync(...) upcri_inst_bupc_waitsync(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnb_valget
#define upcr_wait_syncnb_valget(...) upcri_inst_wait_syncnb_valget(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_try_syncnb
#define upcr_try_syncnb(...) upcri_inst_try_syncnb(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_try_syncnb_strict
#define upcr_try_syncnb_strict(...) upcri_inst_try_syncnb_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_trysync
#define upcr_trysync(...) upcri_inst_trysync(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_trysync
#define bupc_trysync(...) upcri_inst_bupc_trysync(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnb_all
#define upcr_wait_syncnb_all(...) upcri_inst_wait_syncnb_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnb_some
#define upcr_wait_syncnb_some(...) upcri_inst_wait_syncnb_some(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_waitsync_all
#define bupc_waitsync_all(...) upcri_inst_bupc_waitsync_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_waitsync_some
#define bupc_waitsync_some(...) upcri_inst_bupc_waitsync_some(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_try_syncnb_all
#define upcr_try_syncnb_all(...) upcri_inst_try_syncnb_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_try_syncnb_some
#define upcr_try_syncnb_some(...) upcri_inst_try_syncnb_some(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_trysync_all
#define bupc_trysync_all(...) upcri_inst_bupc_trysync_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_trysync_some
#define bupc_trysync_some(...) upcri_inst_bupc_trysync_some(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_wait_syncnbi_gets
#define upcr_wait_syncnbi_gets() upcri_inst_wait_syncnbi_gets(UPCRI_INST_HERE)
#undef upcr_wait_syncnbi_puts
#define upcr_wait_syncnbi_puts() upcri_inst_wait_syncnbi_puts(UPCRI_INST_HERE)
#undef upcr_wait_syncnbi_all
#define upcr_wait_syncnbi_all() upcri_inst_wait_syncnbi_all(UPCRI_INST_HERE)
#undef bupc_waitsynci
#define bupc_waitsynci() upcri_inst_bupc_waitsynci(UPCRI_INST_HERE)
#undef upcr_try_syncnbi_gets
#define upcr_try_syncnbi_gets() upcri_inst_try_syncnbi_gets(UPCRI_INST_HERE)
#undef upcr_try_syncnbi_puts
#define upcr_try_syncnbi_puts() upcri_inst_try_syncnbi_puts(UPCRI_INST_HERE)
#undef upcr_try_syncnbi_all
#define upcr_try_syncnbi_all() upcri_inst_try_syncnbi_all(UPCRI_INST_HERE)
#undef bupc_trysynci
#define bupc_trysynci() upcri_inst_bupc_trysynci(UPCRI_INST_HERE)
