// SPDX-License-Identifier: BSD-3-Clause
#define SPTR_OPS_NAME kDebugOps
#include "tests/support/sptr_ops.inc"
