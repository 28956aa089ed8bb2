/* SPDX-License-Identifier: BSD-3-Clause */
/* allv.c with the macros that UPC source gets, and what only they can get wrong. */
#include "tests/spmd/spmd.h"
#undef bupc_allv_broadcast
#undef bupc_allv_scatter
#undef bupc_allv_gather
#undef bupc_allv_gather_all
#undef bupc_allv_permute
#undef bupc_allv_reduce
#undef bupc_allv_reduce_all
#undef bupc_allv_prefix_reduce
#define __BERKELEY_UPC_FIRST_PREPROCESS__ 1
#include <bupc_collectivev.h>
#undef __BERKELEY_UPC_FIRST_PREPROCESS__

#include "tests/spmd/reduce/allv.c"
