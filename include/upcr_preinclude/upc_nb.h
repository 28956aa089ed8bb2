/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_nb.h> of UPC 1.3 (7.7): non-blocking copies. UPC source: a front end reads it. Included by C it is
 * upcr.h, which has the same names.
 */
#ifndef UPCRI_PREINCLUDE_UPC_NB_H
#define UPCRI_PREINCLUDE_UPC_NB_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc_types.h>

#ifndef __UPC_NB__
#define __UPC_NB__ 1
#endif

/* A pending operation; synchronised once, by the thread that started it, unless it is
 * UPC_COMPLETE_HANDLE. */
typedef struct _upcri_eop *upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

/* Start. Until it is synchronised the source does not change and the destination is not used. */
extern upc_handle_t upc_memcpy_nb(shared void *restrict __dst, shared const void *restrict __src, size_t __n);
extern upc_handle_t upc_memget_nb(void *restrict __dst, shared const void *restrict __src, size_t __n);
extern upc_handle_t upc_memput_nb(shared void *restrict __dst, const void *restrict __src, size_t __n);
extern upc_handle_t upc_memset_nb(shared void *__dst, int __c, size_t __n);
/* The same without handles: synchronised all together. */
extern void upc_memcpy_nbi(shared void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memget_nbi(void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memput_nbi(shared void *restrict __dst, const void *restrict __src, size_t __n);
extern void upc_memset_nbi(shared void *__dst, int __c, size_t __n);

/* Synchronisation: wait, or test (1: complete, and the handle is invalid). */
extern void upc_sync(upc_handle_t __handle);
extern int upc_sync_attempt(upc_handle_t __handle);
extern void upc_synci(void);
extern int upc_synci_attempt(void);

#endif
#endif
