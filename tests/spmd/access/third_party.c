/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC thread 0 copies from thread 1 to thread 2. The test reads in the trace which process sends data to which. Then
 * many pieces at once, more than a process accepts from another at a time, and again. */
#include "tests/spmd/spmd.h"

enum { kBytes = 123457, kPieces = 100 };

static void in_pieces(upcr_shared_ptr_t p) {
    upcr_handle_t under_way[kPieces];
    for (size_t i = 0; i < kPieces; ++i) {
        const size_t begin = kBytes * i / kPieces, end = kBytes * (i + 1) / kPieces;
        under_way[i] = upcr_nb_memcpy(spmd_part(p, 2, begin), spmd_part(p, 1, begin), end - begin);
    }
    for (size_t i = 0; i < kPieces; ++i) upcr_wait_syncnb(under_way[i]);
}

static void run(void) {
    const upcr_shared_ptr_t p = spmd_alloc(kBytes);
    unsigned char *const mine = (unsigned char *)upcr_shared_to_local(spmd_part(p, upcr_mythread(), 0));
    if (upcr_mythread() == 1)
        for (size_t i = 0; i < kBytes; ++i) mine[i] = (unsigned char)(i * 7 >> 3);
    spmd_barrier();
    if (upcr_mythread() == 0) upcr_memcpy(spmd_part(p, 2, 0), spmd_part(p, 1, 0), kBytes);
    spmd_barrier();
    for (int again = 0; again < 3; ++again) {
        if (upcr_mythread() == 2)
            for (size_t i = 0; i < kBytes; ++i) SPMD_EQ(mine[i], (unsigned char)(i * 7 >> 3));
        if (upcr_mythread() == 2) memset(mine, 0, kBytes);
        spmd_barrier();
        if (upcr_mythread() == 0) in_pieces(p);
        spmd_barrier();
    }
    if (upcr_mythread() == 2)
        for (size_t i = 0; i < kBytes; ++i) SPMD_EQ(mine[i], (unsigned char)(i * 7 >> 3));
}

SPMD_MAIN(run)
