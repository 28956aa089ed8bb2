/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_types.h> of UPC 1.3 (7.3): operators, flags and type codes of the library. Plain C: the front end
 * reads it as UPC, translated code includes it again, and the runtime's sources use the same values, which
 * are part of the interface with compiled programs.
 */
#ifndef UPCRI_PREINCLUDE_UPC_TYPES_H
#define UPCRI_PREINCLUDE_UPC_TYPES_H

/*
 * Translated C has the numbers of its translator's release: upcc defines UPCRI_ENCODING for it, and what the
 * file's own C sees here agrees with the constants in it. Calls convert (upcr/encoding.h). 0, or not defined:
 * UPC 1.3; 1: releases 2.14 to 2.20; 2: releases up to 2.12.
 */
#ifndef UPCRI_ENCODING
#define UPCRI_ENCODING 0
#endif

/* An operation of a reduction or an atomic; a set of them is their bitwise or. */
typedef unsigned long long upc_op_t;
#if UPCRI_ENCODING == 2
#define UPC_ADD 0ULL
#define UPC_MULT 1ULL
#define UPC_AND 2ULL
#define UPC_OR 3ULL
#define UPC_XOR 4ULL
#define UPC_LOGAND 5ULL
#define UPC_LOGOR 6ULL
#define UPC_MIN 7ULL
#define UPC_MAX 8ULL
#else
#define UPC_ADD (1ULL << 0)
#define UPC_MULT (1ULL << 1)
#define UPC_AND (1ULL << 2)
#define UPC_OR (1ULL << 3)
#define UPC_XOR (1ULL << 4)
#define UPC_LOGAND (1ULL << 5)
#define UPC_LOGOR (1ULL << 6)
#define UPC_MIN (1ULL << 7)
#define UPC_MAX (1ULL << 8)
#endif

/* The synchronisation of a collective at entry and exit: one of each, or'ed; 0 is ALLSYNC at both. */
typedef int upc_flag_t;
#if UPCRI_ENCODING == 0
#define UPC_IN_ALLSYNC (1 << 0)
#define UPC_IN_MYSYNC (1 << 1)
#define UPC_IN_NOSYNC (1 << 2)
#define UPC_OUT_ALLSYNC (1 << 3)
#define UPC_OUT_MYSYNC (1 << 4)
#define UPC_OUT_NOSYNC (1 << 5)
#else
#define UPC_IN_NOSYNC (1 << 0)
#define UPC_IN_MYSYNC (1 << 1)
#define UPC_OUT_NOSYNC (1 << 2)
#define UPC_OUT_MYSYNC (1 << 3)
#define UPC_IN_ALLSYNC (1 << 4)
#define UPC_OUT_ALLSYNC (1 << 5)
#endif

/* A C type, named at run time. */
typedef int upc_type_t;
#define UPC_CHAR 1
#define UPC_UCHAR 2
#define UPC_SHORT 3
#define UPC_USHORT 4
#define UPC_INT 5
#define UPC_UINT 6
#define UPC_LONG 7
#define UPC_ULONG 8
#define UPC_LLONG 9
#define UPC_ULLONG 10
#define UPC_INT8 11
#define UPC_UINT8 12
#define UPC_INT16 13
#define UPC_UINT16 14
#define UPC_INT32 15
#define UPC_UINT32 16
#define UPC_INT64 17
#define UPC_UINT64 18
#define UPC_FLOAT 19
#define UPC_DOUBLE 20
#define UPC_LDOUBLE 21
#define UPC_PTS 22

#endif
