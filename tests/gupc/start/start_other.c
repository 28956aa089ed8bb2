/* SPDX-License-Identifier: BSD-3-Clause */
/* The second file of start.c. */
#include "tests/gupc/emit.h"

#include "upcr/bulk.h"
#include "upcr/linkaddr.h"

EMIT_PROGRAM_INFO;

SHARED(long, others, 2);
/* Values that a neighbour's init function writes into the copy stay. */
SHARED(long, received, 2) = {0, -1};

extern EMIT_PER_THREAD int order[4], inits;

static void third(void) {
    order[inits++] = 3;
    ((long *)upcr_linkaddr_to_local(others))[1] = MYTHREAD;
    const long value = 1000 + MYTHREAD;
    upcr_memput(upcr_linkaddr_to_shared(received, (upcr_thread_t)((MYTHREAD + 1) % THREADS)), &value,
                sizeof value);
}
EMIT_INIT(third);
