// SPDX-License-Identifier: BSD-3-Clause
// Compiled for a fixed number of threads, as upcc -T does.
#undef UPCR_DEBUG
#define __UPC_STATIC_THREADS__ 1
#define THREADS 6
#define SPTR_OPS_NAME kStaticOps
#include "tests/support/sptr_ops.inc"
