/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread 0 transfers more private memory to thread 1 than may be locked, so that what stays registered fills
 * the limit; then it talks to the others for the first time, which takes more locked memory. All of it
 * arrives. Twice: the second time all connections exist.
 */
#include <string.h>

#include "tests/spmd/spmd.h"

enum { kBytes = 1 << 20, kPieces = 40 };

static void run(void) {
    upcr_shared_ptr_t all = upcr_all_alloc(upcr_threads(), kBytes);
    for (unsigned round = 0; round < 2; ++round) {
        spmd_barrier();
        if (upcr_mythread() == 0) {
            char *mine = malloc((size_t)kPieces * kBytes);
            SPMD_CHECK(mine != NULL);
            for (size_t i = 0; i < (size_t)kPieces * kBytes; i += 8) memcpy(mine + i, &i, 8);
            const upcr_shared_ptr_t next = upcr_add_shared(all, 1, kBytes, kBytes);
            char *back = malloc(kBytes);
            SPMD_CHECK(back != NULL);
            for (unsigned n = 0; n < kPieces; ++n) upcr_memput(next, mine + (size_t)n * kBytes, kBytes);
            upcr_memget(back, next, kBytes);
            SPMD_CHECK(memcmp(back, mine + (size_t)(kPieces - 1) * kBytes, kBytes) == 0);
            for (unsigned t = 2; t < upcr_threads(); ++t) {
                const upcr_shared_ptr_t other = upcr_add_shared(all, 1, (ptrdiff_t)t * kBytes, kBytes);
                upcr_memput(other, mine + (size_t)t * kBytes, kBytes);
                upcr_memget(back, other, kBytes);
                SPMD_CHECK(memcmp(back, mine + (size_t)t * kBytes, kBytes) == 0);
            }
            free(back);
            free(mine);
        }
    }
    spmd_barrier();
}
SPMD_MAIN(run)
