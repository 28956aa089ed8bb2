/* SPDX-License-Identifier: BSD-3-Clause */
/* The last thread kills its process, while the others write to its memory without end. */
#include <signal.h>

#include "tests/spmd/spmd.h"

static void run(void) {
    const upcr_thread_t me = upcr_mythread(), last = upcr_threads() - 1;
    const upcr_shared_ptr_t space = spmd_alloc(8);
    spmd_barrier();
    if (me == last) raise(SIGKILL);
    for (uint64_t value = 0;; ++value) upcr_put_shared_val(spmd_part(space, last, 0), 0, value, 8);
}

SPMD_MAIN(run)
