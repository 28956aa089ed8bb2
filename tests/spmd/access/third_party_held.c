/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC thread 1 has requests for copies to thread 2, which computes and does not poll: more than fits on the way to
 * it. A copy to thread 3 that is requested afterwards completes nevertheless, before thread 2 polls. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/spmd/spmd.h"

enum { kBytes = 1 << 20, kHeld = 12, kPatience = 40 };

static int there(const char *path) {
    struct stat s;
    return stat(path, &s) == 0;
}

static void run(void) {
    const char *const word = getenv("THIRD_PARTY_WORD"); /* the file by which thread 0 signals thread 2 */
    const upcr_shared_ptr_t p = spmd_alloc((size_t)kBytes * (kHeld + 1));
    unsigned char *const mine = (unsigned char *)upcr_shared_to_local(spmd_part(p, upcr_mythread(), 0));
    SPMD_CHECK(word != NULL);
    if (upcr_mythread() == 0) (void)unlink(word);
    if (upcr_mythread() == 1)
        for (size_t i = 0; i < (size_t)kBytes * (kHeld + 1); ++i) mine[i] = (unsigned char)(i * 7 >> 3);
    spmd_barrier();
    if (upcr_mythread() == 0) {
        upcr_handle_t held[kHeld], other;
        FILE *f;
        for (int i = 0; i < kHeld; ++i)
            held[i] = upcr_nb_memcpy(spmd_part(p, 2, (size_t)i * kBytes), spmd_part(p, 1, (size_t)i * kBytes),
                                     kBytes);
        for (int i = 0; i < 200; ++i) upcr_poll(), usleep(1000); /* so that thread 1 has started these */
        other = upcr_nb_memcpy(spmd_part(p, 3, 0), spmd_part(p, 1, (size_t)kHeld * kBytes), kBytes);
        upcr_wait_syncnb(other);
        f = fopen(word, "w");
        SPMD_CHECK(f != NULL && fclose(f) == 0);
        for (int i = 0; i < kHeld; ++i) upcr_wait_syncnb(held[i]);
    } else if (upcr_mythread() == 1) { /* there is no room for its barrier message either */
        for (int i = 0; i < 100; ++i) upcr_poll(), usleep(1000);
    } else if (upcr_mythread() == 2) { /* no call until the signal */
        int naps = 0;
        while (!there(word) && ++naps < kPatience * 100) usleep(10000);
        if (naps == kPatience * 100)
            SPMD_FAIL("after %d s the copy to thread 3 is not over: it waits for this thread", kPatience);
    }
    spmd_barrier(); /* thread 2 has seen the signal: the copies complete soon after it */
    if (upcr_mythread() == 0) SPMD_CHECK(unlink(word) == 0);
    if (upcr_mythread() == 2)
        for (size_t i = 0; i < (size_t)kBytes * kHeld; ++i) SPMD_EQ(mine[i], (unsigned char)(i * 7 >> 3));
    if (upcr_mythread() == 3)
        for (size_t i = 0; i < kBytes; ++i)
            SPMD_EQ(mine[i], (unsigned char)((i + (size_t)kHeld * kBytes) * 7 >> 3));
}

SPMD_MAIN(run)
