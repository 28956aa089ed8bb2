/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams and non-blocking collectives, which threads start and wait for in different orders. */
#include "tests/spmd/coll/coll_support.h"

enum { BYTES = 9000, SLOTS = 4 };

static __thread uint64_t seed0;
static __thread uint64_t state, common; /* random: different on each thread, and the same on all */
static __thread upcr_shared_ptr_t source[SLOTS], target[SLOTS];

/* The model of a split: member number of every thread in the team of this one. */
typedef struct {
    bupc_team_t handle;
    unsigned size, members[64], me;
} team;

static void check_split(team *t, const team *parent, const int *color, const int *order) {
    const unsigned me = upcr_mythread();
    unsigned i, j, mine = 0;
    for (i = 0; i < parent->size; ++i)
        if (parent->members[i] == me) mine = i;
    t->size = 0;
    for (i = 0; i < parent->size; ++i) { /* insertion sort: stable */
        if (color[i] != color[mine]) continue;
        for (j = t->size++; j > 0 && order[t->members[j - 1]] > order[i]; --j)
            t->members[j] = t->members[j - 1];
        t->members[j] = i;
    }
    for (i = 0; i < t->size; ++i) {
        if (t->members[i] == mine) t->me = i;
        t->members[i] = parent->members[t->members[i]];
    }
    t->handle = bupc_team_split(parent->handle, color[mine], order[mine]);
}

static team all_threads(void) {
    team t;
    t.handle = BUPC_TEAM_ALL;
    t.size = upcr_threads();
    t.me = upcr_mythread();
    for (unsigned i = 0; i < t.size; ++i) t.members[i] = i;
    return t;
}

static team random_split(const team *parent) {
    team t;
    int color[64], order[64];
    const unsigned colors = 1 + (unsigned)spmd_below(&common, 3);
    for (unsigned i = 0; i < 64; ++i) { /* as many draws on all threads */
        color[i] = (int)spmd_below(&common, colors) - 1;
        order[i] = (int)spmd_below(&common, 4) - 2;
    }
    check_split(&t, parent, color, order);
    return t;
}

static unsigned char *local(upcr_shared_ptr_t p, size_t at) {
    return (unsigned char *)upcr_shared_to_local(spmd_part(p, upcr_mythread(), at));
}

/* One operation on slot `slot`'s memory. The expected value of each byte follows from the sender's thread and
 * the block. */
typedef struct {
    const team *t;
    int exchange, flags;
    unsigned root, round;
    size_t n;
    bupc_coll_handle_t handle;
} pending;

static unsigned char byte_of(unsigned round, unsigned thread, unsigned block) {
    return (unsigned char)(round * 13 + thread * 5 + block * 101 + 1);
}

static void begin(pending *p, unsigned slot, const team *t, unsigned round) {
    const unsigned me = upcr_mythread();
    p->t = t;
    p->round = round;
    if (p->root >= t->size) p->root %= t->size;
    for (unsigned b = 0; b < t->size; ++b) memset(local(source[slot], b * p->n), byte_of(round, me, b), p->n);
    memset(local(target[slot], 0), 0, p->n * t->size + 1);
    p->handle = p->exchange
                    ? bupc_team_exchange(t->handle, target[slot], source[slot], p->n, p->flags)
                    : bupc_team_broadcast(t->handle, target[slot],
                                          spmd_part(source[slot], t->members[p->root], 0), p->n, p->flags);
}

static void end(pending *p, unsigned slot) {
    const unsigned char *const got = local(target[slot], 0);
    bupc_coll_wait(p->handle);
    for (unsigned b = 0; b < (p->exchange ? p->t->size : 1); ++b) {
        const unsigned char want = p->exchange ? byte_of(p->round, p->t->members[b], p->t->me)
                                               : byte_of(p->round, p->t->members[p->root], 0);
        for (size_t i = 0; i < p->n; ++i)
            if (got[b * p->n + i] != want)
                SPMD_FAIL(
                    "seed %#llx, round %u: %s in a team of %u, member %u: byte %zu of block %u is %u, not %u",
                    (unsigned long long)seed0, p->round, p->exchange ? "exchange" : "broadcast", p->t->size,
                    p->t->me, i, b, got[b * p->n + i], want);
    }
    SPMD_EQ(got[p->n * (p->exchange ? p->t->size : 1)], 0);
}

/* A blocking collective with messages too large to be sent at once, while others are under way. */
typedef struct {
    unsigned char bytes[3 * BYTES];
} large;

static void blocking(unsigned round) {
    static const unsigned threads_most = 16;
    large *const all = (large *)malloc(threads_most * sizeof *all), mine;
    upcr_thread_t t;
    memset(&mine, (int)(upcr_mythread() + round), sizeof mine);
    bupc_allv_gather_all(large, mine, all);
    for (t = 0; t < upcr_threads(); ++t) {
        SPMD_EQ(all[t].bytes[0], (unsigned char)(t + round));
        SPMD_EQ(all[t].bytes[sizeof mine - 1], (unsigned char)(t + round));
    }
    free(all);
}

/* Several operations on several teams; each thread starts the teams, and waits, in an order of its own. */
static void overlapping(const team *teams, unsigned round) {
    pending p[SLOTS];
    unsigned order[SLOTS], slot, i;
    for (slot = 0; slot < SLOTS; ++slot) {
        p[slot].exchange = (int)spmd_below(&common, 2);
        p[slot].root = (unsigned)spmd_below(&common, 64);
        p[slot].n = 1 + spmd_below(&common, spmd_below(&common, 2) ? 100 : BYTES - 1);
        p[slot].flags = spmd_below(&common, 2) ? UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC : 0;
        order[slot] = slot;
    }
    for (i = SLOTS; i > 1; --i) {
        const unsigned j = (unsigned)spmd_below(&state, i), swap = order[j];
        order[j] = order[i - 1], order[i - 1] = swap;
    }
    for (i = 0; i < SLOTS; ++i) begin(&p[order[i]], order[i], &teams[order[i]], round);
    if (spmd_below(&common, 2)) spmd_barrier(); /* they go on meanwhile */
    if (spmd_below(&common, 2)) blocking(round);
    for (i = 0; i < SLOTS; ++i) {
        const unsigned j = (unsigned)spmd_below(&state, SLOTS - i), pick = order[j];
        order[j] = order[SLOTS - 1 - i];
        end(&p[pick], pick);
    }
}

static void run(void) {
    const char *text = getenv("SPMD_SEED");
    const team world = all_threads();
    team teams[SLOTS];
    const unsigned rounds = (unsigned)spmd_effort(120);
    unsigned round, slot;
    seed0 = text != NULL ? strtoull(text, NULL, 0) : 77;
    common = seed0;
    state = seed0 + 1000 * (upcr_mythread() + 1);
    for (slot = 0; slot < SLOTS; ++slot) {
        source[slot] = spmd_alloc((size_t)BYTES * upcr_threads());
        target[slot] = spmd_alloc((size_t)BYTES * upcr_threads() + 1);
    }
    for (round = 0; round < rounds; ++round) {
        if (round % 20 == 0)
            for (slot = 0; slot < SLOTS; ++slot) {
                teams[slot] = slot == 0 ? world : random_split(slot == 3 ? &teams[1] : &world);
                if (slot != 0 && spmd_below(&common, 2))
                    coll_use(teams[slot].handle, teams[slot].me == 0,
                             coll_tables[spmd_below(&common, COLL_TABLES)]);
            }
        overlapping(teams, round);
    }
    bupc_coll_wait(BUPC_COLL_DONE);
}

SPMD_MAIN(run)
