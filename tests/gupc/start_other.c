/* SPDX-License-Identifier: BSD-3-Clause */
/* The second file of start.c. */
#include "tests/gupc/emit.h"

#include "upcr/linkaddr.h"

EMIT_PROGRAM_INFO;

SHARED(long, others, 2);

extern EMIT_PER_THREAD int order[4], inits;

static void third(void)
{
    order[inits++] = 3;
    ((long *)upcr_linkaddr_to_local(others))[1] = MYTHREAD;
}
EMIT_INIT(third);
