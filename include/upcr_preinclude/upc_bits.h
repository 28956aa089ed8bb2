/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The declarations of <upc.h> that are plain C. The front end reads it as UPC; translated code includes it
 * again with the same names as in the runtime.
 */
#ifndef UPCRI_PREINCLUDE_UPC_BITS_H
#define UPCRI_PREINCLUDE_UPC_BITS_H

#include <stddef.h>
#ifdef __BERKELEY_UPC_FIRST_PREPROCESS__
#include <upc_types.h>
#else
#include "upcr.h"
#include "upcr_preinclude/upc_types.h"
#endif

#endif
