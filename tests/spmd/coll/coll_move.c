/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives that move data, compared with a serial model over random sizes, places, flags and algorithms. */
#include "tests/spmd/coll/coll_support.h"

enum { MOST_BYTES = 150000, SLACK = 64 };

static __thread uint64_t seed0;
static __thread uint64_t state;
static __thread upcr_shared_ptr_t source, target, permutation;
static __thread unsigned char *want;

/* The byte that thread `from` sends to thread `to` in round `round`; never 0. */
static void fill(unsigned char *p, unsigned round, unsigned from, unsigned to, size_t n) {
    uint64_t s = round * UINT64_C(1000003) + from * 1009 + to * 31;
    const uint64_t start = spmd_random(&s);
    size_t i;
    for (i = 0; i < n; ++i) p[i] = (unsigned char)((start + i * 37 + i / 256) | 1);
}

static unsigned char *local(upcr_shared_ptr_t p) { return (unsigned char *)upcr_shared_to_local(p); }

static const int flag_in[] = {UPCRI_IN_ALLSYNC, UPCRI_IN_MYSYNC, UPCRI_IN_NOSYNC, 0};
static const int flag_out[] = {UPCRI_OUT_ALLSYNC, UPCRI_OUT_MYSYNC, UPCRI_OUT_NOSYNC, 0};

static size_t some_size(void) {
    static const size_t limits[] = {8, 300, 300, 5000, 5000, 12000};
    const uint64_t kind = spmd_below(&state, 40);
    return 1 + spmd_below(&state, kind < 36 ? limits[kind % 6] : MOST_BYTES);
}

static void one(unsigned round, operation op, int flags) {
    const unsigned me = upcr_mythread(), threads = upcr_threads();
    const size_t n = some_size(), src_at = spmd_below(&state, SLACK), dst_at = spmd_below(&state, SLACK);
    const unsigned root = (unsigned)spmd_below(&state, threads);
    const upcr_phase_t phase = 0;
    const int root_sends = op == BROADCAST || op == SCATTER, root_takes = op == GATHER;
    const upcr_shared_ptr_t src =
        upcri_make_shared(upcr_addrfield_shared(source) + src_at, root_sends ? root : 0, phase);
    const upcr_shared_ptr_t dst =
        upcri_make_shared(upcr_addrfield_shared(target) + dst_at, root_takes ? root : 0, phase);
    unsigned char *const mine = local(spmd_part(source, me, src_at)), *const got =
                                                                          local(spmd_part(target, me, 0));
    const size_t all = n * threads + 2 * SLACK;
    const unsigned shift = (unsigned)spmd_below(&state, threads),
                   stride = spmd_below(&state, 2) ? threads - 1 : 1;
    unsigned t, i;

    /* The data that every thread sends. */
    for (t = 0; t < threads; ++t) {
        const int whole = op == EXCHANGE || op == SCATTER;
        if (root_sends && me != root) break;
        if (t > 0 && !whole) break;
        fill(mine + t * n, round, me, whole ? t : 0, n);
    }
    /* Which byte is where afterwards; what is not written stays 0. */
    memset(got, 0, all);
    memset(want, 0, all);
    for (i = 0; i < threads; ++i) {
        unsigned char *const block = want + dst_at + i * n;
        switch (op) {
        case BROADCAST:
            if (i == 0) fill(block, round, root, 0, n);
            break;
        case SCATTER:
            if (i == 0) fill(block, round, root, me, n);
            break;
        case GATHER:
            if (me == root) fill(block, round, i, 0, n);
            break;
        case GATHER_ALL: fill(block, round, i, 0, n); break;
        case EXCHANGE: fill(block, round, i, me, n); break;
        case PERMUTE: /* thread i sends to i * stride + shift */
            if ((i * stride + shift) % threads == me) fill(want + dst_at, round, i, 0, n);
            break;
        case OPERATIONS: break;
        }
    }
    *(int *)local(spmd_part(permutation, me, 0)) = (int)((me * stride + shift) % threads);

    /* ALLSYNC (0, too) and MYSYNC need no barrier: a thread fills only its own data before the call, and reads only
     * its own after it. */
    if (flags & UPCRI_IN_NOSYNC) spmd_barrier();
    coll_call(op, dst, src, permutation, n, flags);
    if (flags & UPCRI_OUT_NOSYNC) spmd_barrier();
    for (t = 0; t < all; ++t)
        if (got[t] != want[t])
            SPMD_FAIL("round %u, seed %#llx: %s of %zu bytes, root %u, flags %#x: byte %u is %u, not %u",
                      round, (unsigned long long)seed0, operation_names[op], n, root, flags,
                      t - (unsigned)dst_at, got[t], want[t]);
    /* After weak flags the others may still be reading. */
    if (flags & (UPCRI_OUT_NOSYNC | UPCRI_OUT_MYSYNC) && spmd_below(&state, 2)) spmd_barrier();
}

static void run(void) {
    const char *text = getenv("SPMD_SEED");
    const size_t all = (size_t)MOST_BYTES * upcr_threads() + 2 * SLACK;
    const unsigned rounds = (unsigned)spmd_effort(300);
    unsigned round;
    seed0 = text != NULL ? strtoull(text, NULL, 0) : 20240611;
    state = seed0;
    source = spmd_alloc(all);
    target = spmd_alloc(all);
    permutation = spmd_alloc(sizeof(int));
    want = (unsigned char *)malloc(all);
    for (round = 0; round < rounds; ++round) {
        if (round % 12 == 11)
            coll_use(BUPC_TEAM_ALL, upcr_mythread() == 0, coll_tables[spmd_below(&state, COLL_TABLES)]);
        one(round, (operation)(round % OPERATIONS),
            flag_in[spmd_below(&state, 4)] | flag_out[spmd_below(&state, 4)]);
    }
    free(want);
}

SPMD_MAIN(run)
