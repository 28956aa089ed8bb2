/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared heap and static shared data (heap.h, static_data.h).
 */
#pragma once
#include "upcr/heap.h"
#include "upcr/instrument/span.h"
#include "upcr/static_data.h"

UPCRI_BEGIN_C

UPCRI_STATIC upcr_shared_ptr_t upcri_inst_alloc(struct upcri_inst at, size_t n) {
    upcr_shared_ptr_t p;
    UPCRI_SPAN_GIVES(GASP_UPC_ALLOC, p = (upcr_alloc)(n), &p, n);
    return p;
}
UPCRI_STATIC upcr_shared_ptr_t upcri_inst_local_alloc(struct upcri_inst at, size_t n, size_t size) {
    upcr_shared_ptr_t p;
    UPCRI_SPAN_GIVES(GASP_UPC_ALLOC, p = (upcr_local_alloc)(n, size), &p, n * size);
    return p;
}
UPCRI_STATIC upcr_shared_ptr_t upcri_inst_global_alloc(struct upcri_inst at, size_t n, size_t size) {
    upcr_shared_ptr_t p;
    UPCRI_SPAN_GIVES(GASP_UPC_GLOBAL_ALLOC, p = (upcr_global_alloc)(n, size), &p, n, size);
    return p;
}
UPCRI_STATIC upcr_shared_ptr_t upcri_inst_all_alloc(struct upcri_inst at, size_t n, size_t size) {
    upcr_shared_ptr_t p;
    UPCRI_SPAN_GIVES(GASP_UPC_ALL_ALLOC, p = (upcr_all_alloc)(n, size), &p, n, size);
    return p;
}
UPCRI_STATIC void upcri_inst_free(struct upcri_inst at, upcr_shared_ptr_t p) {
    UPCRI_SPAN(GASP_UPC_FREE, (upcr_free)(p), &p);
}
UPCRI_STATIC void upcri_inst_all_free(struct upcri_inst at, upcr_shared_ptr_t p) {
    UPCRI_SPAN(GASP_UPC_FREE, (upcr_all_free)(p), &p);
}
UPCRI_STATIC void upcri_inst_startup_shalloc(struct upcri_inst at, upcr_startup_shalloc_t *infos,
                                             size_t count) {
    (upcr_startup_shalloc)(infos, count);
    for (size_t i = 0; i < count; ++i) {
        const upcr_shared_ptr_t p = *infos[i].sptr_addr;
        UPCRI_EVENT(GASP_BUPC_STATIC_SHARED, GASP_ATOMIC, &p, infos[i].blockbytes, infos[i].numblocks,
                    infos[i].mult_by_threads, infos[i].elemsz, infos[i].namestr, infos[i].typestr);
    }
}
UPCRI_STATIC void upcri_inst_startup_pshalloc(struct upcri_inst at, upcr_startup_pshalloc_t *infos,
                                              size_t count) {
    (upcr_startup_pshalloc)(infos, count);
    for (size_t i = 0; i < count; ++i) {
        const upcr_shared_ptr_t p = upcr_pshared_to_shared(*infos[i].psptr_addr);
        UPCRI_EVENT(GASP_BUPC_STATIC_SHARED, GASP_ATOMIC, &p, infos[i].blockbytes, infos[i].numblocks,
                    infos[i].mult_by_threads, infos[i].elemsz, infos[i].namestr, infos[i].typestr);
    }
}

UPCRI_END_C

#undef upcr_alloc
#define upcr_alloc(...) upcri_inst_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_local_alloc
#define upcr_local_alloc(...) upcri_inst_local_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_global_alloc
#define upcr_global_alloc(...) upcri_inst_global_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_all_alloc
#define upcr_all_alloc(...) upcri_inst_all_alloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_free
#define upcr_free(...) upcri_inst_free(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_all_free
#define upcr_all_free(...) upcri_inst_all_free(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_startup_shalloc
#define upcr_startup_shalloc(...) upcri_inst_startup_shalloc(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_startup_pshalloc
#define upcr_startup_pshalloc(...) upcri_inst_startup_pshalloc(UPCRI_INST_HERE, __VA_ARGS__)
