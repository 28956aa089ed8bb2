/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of translated C only: allocation of private memory, and with --inst-functions entry and exit of
 * functions.
 */
#pragma once
#include <stdlib.h>

#include "upcr/idents.h"
#include "upcr/instrument/span.h"

UPCRI_BEGIN_C

UPCRI_STATIC void *upcri_inst_malloc(struct upcri_inst at, size_t n) {
    void *p;
    UPCRI_SPAN_RESULT(GASP_UPC_C_MALLOC, p = malloc(n), p, n);
    return p;
}
/* GASP has no event for calloc(): it is reported as malloc(). */
UPCRI_STATIC void *upcri_inst_calloc(struct upcri_inst at, size_t n, size_t size) {
    void *p;
    UPCRI_SPAN_RESULT(GASP_UPC_C_MALLOC, p = calloc(n, size), p, n * size);
    return p;
}
/* The old pointer is invalid after the call, so it is kept as a number. */
UPCRI_STATIC void *upcri_inst_realloc(struct upcri_inst at, void *old, size_t n) {
    const uintptr_t was = (uintptr_t)old;
    void *p;
    UPCRI_SPAN_RESULT(GASP_UPC_C_REALLOC, p = realloc(old, n), p, was, n);
    return p;
}
UPCRI_STATIC void upcri_inst_c_free(struct upcri_inst at, void *p) {
    const uintptr_t was = (uintptr_t)p;
    UPCRI_SPAN(GASP_UPC_C_FREE, free(p), was);
}
UPCRI_STATIC void upcri_inst_function(struct upcri_inst at, gasp_evttype_t type, const char *name) {
    UPCRI_EVENT(GASP_UPC_C_FUNC, type, name);
}

UPCRI_END_C

/* upcc replaces calls by these. No macros of the functions' own names: programs declare them again, and have
 * members of these names. */
#define upcri_traced_malloc(...) upcri_inst_malloc(UPCRI_INST_HERE, __VA_ARGS__)
#define upcri_traced_calloc(...) upcri_inst_calloc(UPCRI_INST_HERE, __VA_ARGS__)
#define upcri_traced_realloc(...) upcri_inst_realloc(UPCRI_INST_HERE, __VA_ARGS__)
#define upcri_traced_free(...) upcri_inst_c_free(UPCRI_INST_HERE, __VA_ARGS__)
#if UPCR_GASP_FUNCTIONS
#undef UPCR_BEGIN_FUNCTION
#undef UPCR_EXIT_FUNCTION
#define UPCR_BEGIN_FUNCTION() upcri_inst_function(UPCRI_INST_HERE, GASP_START, __func__)
#define UPCR_EXIT_FUNCTION() upcri_inst_function(UPCRI_INST_HERE, GASP_END, __func__)
#endif
