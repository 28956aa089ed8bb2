/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process has one area of addresses for each UPC thread's shared memory, and nothing between them: the kernel
 * needs time for each, in each process of a host.
 */
#include "tests/spmd/spmd.h"

static void run(void) {
    const uintptr_t lowest = (uintptr_t)0x100000000000, end = (uintptr_t)0x400000000000;
    char line[512];
    unsigned segments = 0;
    FILE *const maps = fopen("/proc/self/maps", "r");
    SPMD_CHECK(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        const uintptr_t start = (uintptr_t)strtoull(line, NULL, 16);
        if (start < lowest || start >= end) continue;
        if (strstr(line, "memfd:upcr") == NULL) SPMD_FAIL("an area beside the segments: %s", line);
        ++segments;
    }
    fclose(maps);
    SPMD_EQ(segments, upcr_threads());
}

SPMD_MAIN(run)
