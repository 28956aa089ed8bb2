// SPDX-License-Identifier: BSD-3-Clause
// The checks compiled out, as in a program that links the release library.
#undef UPCR_DEBUG
#define SPTR_OPS_NAME kReleaseOps
#include "tests/support/sptr_ops.inc"
