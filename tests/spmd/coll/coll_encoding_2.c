/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of releases up to 2.12. */
#define UPCRI_ENCODING 2
#include "tests/spmd/coll/coll_encoding.h"
