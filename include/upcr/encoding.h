/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversion of the flags and operators of the file that is being compiled into UPC 1.3's. A translator
 * writes their values into its output; they changed between releases. UPCRI_ENCODING is the number of those
 * that this file has; upcc defines it for each file by the release that its banner names:
 *
 *   0   UPC 1.3 (releases from 2.22 on, upc2c, hand-written C). The default.
 *   1   releases 2.14 to 2.20: other flags
 *   2   releases up to 2.12: other flags, and operators counted from 0
 *
 * upcri_coll_flags, upcri_coll_op: the collectives of coll.h and coll_reduce.h convert their arguments with
 * these. Values that do not exist become values that the call refuses (debug).
 */
#pragma once
#include "upcr/base.h"

/* UPC 1.3 7.3.3 (upc_flag_t), 7.3.1 (upc_op_t). A half of the flags that is 0 means ALLSYNC. */
#define UPCRI_IN_ALLSYNC 1
#define UPCRI_IN_MYSYNC 2
#define UPCRI_IN_NOSYNC 4
#define UPCRI_OUT_ALLSYNC 8
#define UPCRI_OUT_MYSYNC 16
#define UPCRI_OUT_NOSYNC 32

#ifndef UPCRI_ENCODING
#define UPCRI_ENCODING 0
#endif

UPCRI_BEGIN_C

/* The six flags of releases up to 2.20 are the same bits in another order. */
UPCRI_STATIC int upcri_flags_2_20(int flags) {
    return ((flags & 1) ? UPCRI_IN_NOSYNC : 0) | ((flags & 2) ? UPCRI_IN_MYSYNC : 0) |
           ((flags & 4) ? UPCRI_OUT_NOSYNC : 0) | ((flags & 8) ? UPCRI_OUT_MYSYNC : 0) |
           ((flags & 16) ? UPCRI_IN_ALLSYNC : 0) | ((flags & 32) ? UPCRI_OUT_ALLSYNC : 0) | (flags & ~63);
}

/* Replaces a half that is 0 by ALLSYNC. */
UPCRI_STATIC int upcri_flags_complete(int flags) {
    if ((flags & 7) == 0) flags |= UPCRI_IN_ALLSYNC;
    if ((flags & 56) == 0) flags |= UPCRI_OUT_ALLSYNC;
    return flags;
}

UPCRI_STATIC int upcri_coll_flags(int flags) {
#if UPCRI_ENCODING == 0
    return upcri_flags_complete(flags);
#else
    return upcri_flags_complete(upcri_flags_2_20(flags));
#endif
}

/* ADD MULT AND OR XOR LOGAND LOGOR MIN MAX are 1 << 0 ... 1 << 8, FUNC and NONCOMM_FUNC 1 << 16 and 1 << 17.
 * */
UPCRI_STATIC unsigned long long upcri_op_2_12(unsigned long long op) {
    return op < 9 ? 1ull << op : op < 11 ? 1ull << (op + 7) : ~0ull;
}

UPCRI_STATIC unsigned long long upcri_coll_op(unsigned long long op) {
#if UPCRI_ENCODING == 2
    return upcri_op_2_12(op);
#else
    return op;
#endif
}

UPCRI_END_C
