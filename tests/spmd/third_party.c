/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC thread 0 copies from thread 1 to thread 2. The test looks at the trace: who sends data to whom. */
#include "tests/spmd/spmd.h"

enum { kBytes = 123457 };

static void run(void) {
    const upcr_shared_ptr_t p = spmd_alloc(kBytes);
    unsigned char *const mine = (unsigned char *)upcr_shared_to_local(spmd_part(p, upcr_mythread(), 0));
    if (upcr_mythread() == 1)
        for (size_t i = 0; i < kBytes; ++i) mine[i] = (unsigned char)(i * 7 >> 3);
    spmd_barrier();
    if (upcr_mythread() == 0) upcr_memcpy(spmd_part(p, 2, 0), spmd_part(p, 1, 0), kBytes);
    spmd_barrier();
    if (upcr_mythread() == 2)
        for (size_t i = 0; i < kBytes; ++i) SPMD_EQ(mine[i], (unsigned char)(i * 7 >> 3));
}

SPMD_MAIN(run)
