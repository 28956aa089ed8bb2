/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The declarations of <upc_collective.h> of UPC 1.3 that are plain C: the flags and operators of
 * upc_types.h, and the two operators that only reductions have. Translated code includes it in every file;
 * the functions are not declared here. Values are part of the interface with compiled programs.
 */
#ifndef UPCRI_PREINCLUDE_UPC_COLLECTIVE_BITS_H
#define UPCRI_PREINCLUDE_UPC_COLLECTIVE_BITS_H

#ifdef __BERKELEY_UPC_FIRST_PREPROCESS__
#include <upc_types.h>
#else
#include "upcr_preinclude/upc_types.h"
#endif

/* The operation is a function of the program: one that commutes, one that need not. */
#if UPCRI_ENCODING == 2 /* upc_types.h */
#define UPC_FUNC 9ULL
#define UPC_NONCOMM_FUNC 10ULL
#else
#define UPC_FUNC (1ULL << 16)
#define UPC_NONCOMM_FUNC (1ULL << 17)
#endif

#endif
