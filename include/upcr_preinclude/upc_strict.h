/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_strict.h> of UPC 1.3 (7.2): shared accesses of the file are strict unless they say otherwise, and <upc.h>.
 * No guard around the pragma: the last of upc_strict.h and upc_relaxed.h that a file includes counts.
 */
#ifdef __BERKELEY_UPC_FIRST_PREPROCESS__
#pragma upc strict
#include <upc.h>
#else
#include "upcr_preinclude/upc.h"
#endif
