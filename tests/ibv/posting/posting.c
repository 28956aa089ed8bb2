/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread 0 writes to thread 1 in several ways, and prints for each how many operations there were, and what
 * of verbs they took (count_verbs.h). Thread 1 checks the data. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "tests/ibv/posting/count_verbs.h"
#include "tests/spmd/spmd.h"

enum { kPuts = 64, kShort = 24, kPieces = 16, kPiece = 4096, kRounds = 8, kBytes = kPieces * kPiece };

static upcr_shared_ptr_t all;
static struct verbs_counts (*counts)(void);

static char fill_of(int round, int piece) { return (char)(1 + (31 * round + piece) % 251); }
static upcr_shared_ptr_t there(size_t byte) { return spmd_part(all, 1, byte); }

static void blocking(int round) {
    for (int i = 0; i < kPuts; ++i) {
        char data[kShort];
        memset(data, fill_of(round, i), sizeof data);
        upcr_memput(there((size_t)i * kShort), data, kShort);
    }
}

static void nonblocking(int round) {
    static char data[kPuts][kShort];
    for (int i = 0; i < kPuts; ++i) {
        memset(data[i], fill_of(round, i), kShort);
        upcr_nbi_memput(there((size_t)i * kShort), data[i], kShort);
    }
    upcr_wait_syncnbi_all();
}

/* Pieces that are too long for packets to be packed, from shared memory, every other one. */
static void list(int round) {
    char *const here = (char *)upcr_shared_to_local(spmd_part(all, 0, 0));
    upcr_shared_ptr_t to[kPieces];
    const void *from[kPieces];
    for (int i = 0; i < kPieces; ++i) {
        from[i] = here + 2 * (size_t)i * kPiece;
        to[i] = there(2 * (size_t)i * kPiece);
        memset(here + 2 * (size_t)i * kPiece, fill_of(round, i), kPiece);
    }
    bupc_memput_ilist(kPieces, to, kPiece, kPieces, from, kPiece);
}

static void check(size_t step, size_t bytes, int pieces, int round) {
    const char *const mine = (const char *)upcr_shared_to_local(spmd_part(all, 1, 0));
    for (int i = 0; i < pieces; ++i)
        for (size_t k = 0; k < bytes; ++k) SPMD_EQ(mine[(size_t)i * step + k], fill_of(round, i));
}

static void measure(const char *name, void (*write)(int), int pieces, size_t step, size_t bytes) {
    struct verbs_counts sum = {0, 0, 0, 0};
    for (int round = 0; round < kRounds; ++round) {
        spmd_barrier();
        if (upcr_mythread() == 0) {
            const struct verbs_counts before = counts();
            write(round);
            const struct verbs_counts after = counts();
            sum.calls += after.calls - before.calls;
            sum.requests += after.requests - before.requests;
            sum.signalled += after.signalled - before.signalled;
            sum.completions += after.completions - before.completions;
        }
        spmd_barrier();
        if (upcr_mythread() == 1) check(step, bytes, pieces, round);
    }
    if (upcr_mythread() == 0)
        printf("%s operations %d calls %lu requests %lu signalled %lu completions %lu\n", name,
               kRounds * pieces, sum.calls, sum.requests, sum.signalled, sum.completions);
}

static void run(void) {
    counts = (struct verbs_counts(*)(void))dlsym(RTLD_DEFAULT, "verbs_counts");
    if (counts == NULL) SPMD_FAIL("count_verbs is not loaded");
    all = spmd_alloc(2 * kBytes);
    measure("blocking", blocking, kPuts, kShort, kShort);
    measure("nonblocking", nonblocking, kPuts, kShort, kShort);
    measure("list", list, kPieces, 2 * kPiece, kPiece);
}
SPMD_MAIN(run)
