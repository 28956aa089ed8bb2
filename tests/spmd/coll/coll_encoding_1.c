/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of releases 2.14 to 2.20. */
#define UPCRI_ENCODING 1
#include "tests/spmd/coll/coll_encoding.h"
