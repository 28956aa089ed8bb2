/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relaxed accesses do not wait for the other end: without a communication thread and with shared memory off, thread
 * 0 calls nothing of the runtime until the others have put something into its memory, and started a get from there,
 * and returned. They say so by files, since all else would need thread 0. Were a put strict, or a get complete, they
 * would wait for thread 0, and it for them.
 */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "tests/mupc/programs/check.h"

enum { kPuts = 20, kDeadline = 120 /* seconds */ };
MUPC_SHARED(values, 1, THREADS * kPuts * sizeof(uint64_t)); /* all on thread 0; number 0 stays 0 */
MUPC_SHARED(process, 1, sizeof(uint64_t));

static void wait_for_file(const char *path) {
    const time_t end = time(NULL) + kDeadline;
    const struct timespec ms = {0, 1000000};
    while (access(path, F_OK) != 0) {
        if (time(NULL) > end) {
            fprintf(stderr, "UPC thread %d: nobody has made %s in %d s: an access waited for its target\n", MYTHREAD,
                    path, kDeadline);
            upc_global_exit(1);
        }
        nanosleep(&ms, NULL);
    }
    unlink(path);
}

int main(void) {
    char path[64];
    uint64_t later = 1;
    if (MYTHREAD == 0) put64(process, (uint64_t)getpid());
    UPC_barrier(1);
    const int first = (int)get64(process);
    UPC_barrier(2); /* from here thread 0 does nothing for anybody */
    snprintf(path, sizeof path, "/tmp/mupc-relaxed.%d.%d", first, MYTHREAD);
    if (MYTHREAD == 0) {
        for (int t = 1; t < THREADS; ++t) {
            snprintf(path, sizeof path, "/tmp/mupc-relaxed.%d.%d", first, t);
            wait_for_file(path);
        }
    } else {
        for (int i = 0; i < kPuts; ++i) put64(mupc_add(values, MYTHREAD + i * THREADS, 8, 0), (uint64_t)i + 1);
        mupc_get_start(&later, mupc_add(values, 0, 8, 0), 8);
        const int fd = open(path, O_CREAT | O_WRONLY, 0600);
        CHECK(fd >= 0);
        close(fd);
        _UPCRTS_GetAllSync();
        _UPCRTS_PutAllSync();
        CHECK(later == 0);
    }
    UPC_barrier(3);
    if (MYTHREAD == 0)
        for (int i = 0; i < kPuts; ++i)
            for (int t = 1; t < THREADS; ++t)
                CHECK(get64(mupc_add(values, t + i * THREADS, 8, 0)) == (uint64_t)i + 1);
    return 0;
}
