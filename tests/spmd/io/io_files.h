/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of the tests of UPC-IO: in a directory of their own, which thread 0 creates and removes. Collective. */
#pragma once
#include "tests/spmd/spmd.h"

enum { kIoTestName = 256 };
static char io_test_dir[kIoTestName]; /* the same on all threads; of a process: written with the same bytes */

/* The name of a file, NAME in the directory. Every thread has room for 2 * kIoTestName bytes in `out`. */
static inline void io_test_name(char *out, const char *name) {
    const upcr_shared_ptr_t p = upcr_all_alloc(1, kIoTestName);
    char dir[kIoTestName] = "";
    if (upcr_mythread() == 0) {
        if (io_test_dir[0] == '\0') {
            const char *const tmp = getenv("TMPDIR");
            snprintf(dir, sizeof dir, "%s/upcr_io_XXXXXX", tmp != NULL ? tmp : "/tmp");
            if (mkdtemp(dir) == NULL) SPMD_FAIL("cannot make a directory: %s", strerror(errno));
            strcpy(io_test_dir, dir);
        }
        upcr_memput(p, io_test_dir, kIoTestName);
    }
    spmd_barrier();
    upcr_memget(dir, p, kIoTestName);
    snprintf(out, 2 * kIoTestName, "%s/%s", dir, name);
    spmd_barrier();
    upcr_all_free(p);
}

/* Removes that file, which may not exist, and the directory if it is the last one. */
static inline void io_test_remove(const char *name) {
    char path[2 * kIoTestName];
    spmd_barrier();
    if (upcr_mythread() == 0) {
        snprintf(path, sizeof path, "%s/%s", io_test_dir, name);
        unlink(path);
        if (rmdir(io_test_dir) == 0) io_test_dir[0] = '\0';
    }
    spmd_barrier();
}
