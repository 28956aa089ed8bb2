/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The declarations of <upc_io.h> of UPC 1.3 that are plain C: offsets and the constants of upc_all_fopen,
 * upc_all_fseek and upc_all_fcntl. Translated code includes it in every file; functions and structures are
 * not declared here. Values are part of the interface with compiled programs.
 */
#ifndef UPCRI_PREINCLUDE_UPC_IO_BITS_H
#define UPCRI_PREINCLUDE_UPC_IO_BITS_H

#ifdef __BERKELEY_UPC_FIRST_PREPROCESS__
#include <upc_types.h>
#else
#include "upcr_preinclude/upc_types.h"
#endif
#include <stdint.h>

/* A position in a file or a size, in bytes. */
typedef int64_t upc_off_t;

/* How to open a file: exactly one way of access, exactly one kind of file pointer, anything else, or'ed. */
#define UPC_RDONLY (1 << 0)
#define UPC_WRONLY (1 << 1)
#define UPC_RDWR (1 << 2)
#define UPC_INDIVIDUAL_FP (1 << 3)
#define UPC_COMMON_FP (1 << 4)
#define UPC_APPEND (1 << 5)
#define UPC_CREATE (1 << 6)
#define UPC_EXCL (1 << 7)
#define UPC_STRONG_CA (1 << 8)
#define UPC_TRUNC (1 << 9)
#define UPC_DELETE_ON_CLOSE (1 << 10)

/* In the flags of a transfer (__UPC_IO__ 2): start it, and complete it with upc_all_fwait_async or
 * upc_all_ftest_async. */
#define UPC_ASYNC (1 << 6)

/* The origin of the offset of a seek. */
#define UPC_SEEK_SET (1 << 0)
#define UPC_SEEK_CUR (1 << 1)
#define UPC_SEEK_END (1 << 2)

/* Commands of upc_all_fcntl. */
#define UPC_GET_CA_SEMANTICS (1 << 0)
#define UPC_SET_WEAK_CA_SEMANTICS (1 << 1)
#define UPC_SET_STRONG_CA_SEMANTICS (1 << 2)
#define UPC_GET_FP (1 << 3)
#define UPC_SET_COMMON_FP (1 << 4)
#define UPC_SET_INDIVIDUAL_FP (1 << 5)
#define UPC_GET_FL (1 << 6)
#define UPC_GET_FN (1 << 7)
#define UPC_GET_HINTS (1 << 8)
#define UPC_SET_HINT (1 << 9)
#define UPC_ASYNC_OUTSTANDING (1 << 10)

#endif
