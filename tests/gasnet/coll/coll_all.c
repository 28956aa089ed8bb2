/* SPDX-License-Identifier: BSD-3-Clause */
/* Every collective in every form, by every image: nodes, in GASNET_PAR one to three threads of each node; in
 * GASNET_PARSYNC another thread than the one that attached. Teams in teams; barriers of teams. */
#include <sched.h>

#include "coll_forms.h"

enum { MOST_IMAGES = 32, MOST_BYTES = 300000, SLACK = 64 };

struct image {
    gasnet_image_t number;
    unsigned char *in, *out, *expected; /* for a block of each image, or a large one */
    uint64_t random;                    /* the same on all images */
};
static gasnet_image_t first_image[257]; /* of each node */
static size_t room;

/* x -> m x + c modulo 2^32, one after the other: associative, and depends on the order. */
static void compose(void *results, size_t n, const void *left, size_t n_left, const void *right, size_t size,
                    int flags, int arg) {
    uint32_t *z = (uint32_t *)results;
    const uint32_t *x = (const uint32_t *)left, *y = (const uint32_t *)right;
    size_t i;
    CHECK(n == n_left && size == 8 && flags == 77 && arg == 5);
    for (i = 0; i < n; ++i) {
        const uint32_t m = x[2 * i] * y[2 * i], c = x[2 * i + 1] * y[2 * i] + y[2 * i + 1];
        z[2 * i] = m, z[2 * i + 1] = c;
    }
}
static void unused(void *results, size_t n, const void *left, size_t n_left, const void *right, size_t size,
                   int flags, int arg) {
    CHECK(!"the other function");
}
static gasnet_coll_fn_entry_t functions[] = {{unused, 1}, {compose, 77}};

static unsigned char byte_of(gasnet_image_t from, gasnet_image_t block, size_t i, uint32_t seed) {
    return (unsigned char)((i * 7 + from * 31 + block * 101 + seed) ^ (i >> 8));
}
static void fill(unsigned char *at, gasnet_image_t from, gasnet_image_t block, size_t n, uint32_t seed) {
    size_t i;
    for (i = 0; i < n; ++i) at[i] = byte_of(from, block, i, seed);
}

/* The expected result of `operation` at rank p->rank, and its bytes. */
static size_t result(int operation, const struct part *p, uint32_t seed, unsigned char *expected) {
    gasnet_image_t i;
    switch (operation) {
    case BROADCAST: fill(expected, p->root, 0, p->bytes, seed); return p->bytes;
    case SCATTER: fill(expected, p->root, p->rank, p->bytes, seed); return p->bytes;
    case GATHER:
    case GATHER_ALL:
        if (operation == GATHER && p->rank != p->root) return 0;
        for (i = 0; i < p->size; ++i) fill(expected + i * p->bytes, i, 0, p->bytes, seed);
        return p->size * p->bytes;
    case EXCHANGE:
        for (i = 0; i < p->size; ++i) fill(expected + i * p->bytes, i, p->rank, p->bytes, seed);
        return p->size * p->bytes;
    default: {
        unsigned char *const next = (unsigned char *)malloc(p->bytes + 1);
        if (p->rank == p->root) {
            fill(expected, 0, 0, p->bytes, seed);
            for (i = 1; i < p->size; ++i) {
                fill(next, i, 0, p->bytes, seed);
                compose(expected, p->bytes / 8, expected, p->bytes / 8, next, 8, 77, 5);
            }
        }
        free(next);
        return p->rank == p->root ? p->bytes : 0;
    }
    }
}
static void prepare(int operation, const struct part *p, uint32_t seed) {
    const gasnet_image_t blocks =
        operation == EXCHANGE || (operation == SCATTER && p->rank == p->root) ? p->size : 1;
    gasnet_image_t i;
    if ((operation == BROADCAST || operation == SCATTER) && p->rank != p->root) return; /* null */
    for (i = 0; i < blocks; ++i) fill((unsigned char *)p->src + i * p->bytes, p->rank, i, p->bytes, seed);
}
static void check(int operation, const struct part *p, uint32_t seed, struct image *me) {
    const size_t n = result(operation, p, seed, me->expected);
    const unsigned char *const out = (const unsigned char *)p->dst;
    CHECK(n == 0 || memcmp(out, me->expected, n) == 0);
    if (n > 0) CHECK(out[n] == 0xee && out[n + SLACK - 1] == 0xee);
}

static const int syncs[] = {GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC,
                            GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC,
                            GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC, 0};

static struct part part_of(gasnet_team_handle_t team, struct image *me, size_t bytes) {
    struct part p;
    memset(&p, 0, sizeof p);
    p.team = team;
    p.rank = gasnet_coll_team_rank(team);
    p.size = gasnet_coll_team_size(team);
    p.bytes = bytes;
    (void)me;
    return p;
}

/* All operations once, in a form and with flags chosen at random. */
static void each_operation(gasnet_team_handle_t team, gasnet_image_t index, struct image *me, size_t bytes) {
    int operation;
    for (operation = 0; operation < OPERATIONS; ++operation) {
        const uint32_t seed = random_number(&me->random);
        const int form = (int)(random_number(&me->random) % FORMS);
        struct part p = part_of(team, me, operation == REDUCE ? bytes / 8 * 8 : bytes);
        gasnet_coll_handle_t h;
        p.index = index;
        p.root = random_number(&me->random) % p.size;
        p.flags = syncs[random_number(&me->random) % 4];
        p.dst = me->out, p.src = me->in;
        memset(me->out, 0xee, room);
        prepare(operation, &p, seed);
        if (operation <= SCATTER && p.rank != p.root) p.src = NULL;
        if ((operation == GATHER || operation == REDUCE) && p.rank != p.root) p.dst = NULL;
        h = start(operation, form, &p);
        if (form % 2 == 0)
            CHECK(h == GASNET_COLL_INVALID_HANDLE);
        else if (seed % 2)
            gasnet_coll_wait_sync(h);
        else
            while (gasnet_coll_try_sync(h) != GASNET_OK) sched_yield();
        if (p.dst != NULL) check(operation, &p, seed, me);
    }
}

/* Several at once, completed in another order; then with lists of handles. */
static void many_at_once(gasnet_team_handle_t team, gasnet_image_t index, struct image *me) {
    enum { COUNT = 2 * OPERATIONS, BLOCK = 96 };
    struct part p[COUNT];
    uint32_t seed[COUNT];
    gasnet_coll_handle_t h[COUNT];
    const size_t each = (size_t)BLOCK * gasnet_coll_team_size(team) + SLACK;
    int i, mode;
    for (mode = 0; mode < 3; ++mode) {
        memset(me->out, 0xee, room);
        for (i = 0; i < COUNT; ++i) {
            seed[i] = random_number(&me->random);
            p[i] = part_of(team, me, BLOCK);
            p[i].index = index;
            p[i].root = seed[i] % p[i].size;
            p[i].flags = syncs[random_number(&me->random) % 4];
            p[i].dst = me->out + (size_t)i * each, p[i].src = me->in + (size_t)i * each;
            prepare(i % OPERATIONS, &p[i], seed[i]);
            h[i] = start(i % OPERATIONS, 1 + 2 * (int)(seed[i] % 3), &p[i]);
        }
        if (mode == 0)
            for (i = COUNT; i-- > 0;) gasnet_coll_wait_sync(h[i]);
        else if (mode == 1)
            gasnet_coll_wait_sync_all(h, COUNT);
        else {
            gasnet_coll_wait_sync_some(h, COUNT);
            CHECK(gasnet_coll_try_sync_some(h, 0) == GASNET_OK);
            while (gasnet_coll_try_sync_all(h, COUNT) != GASNET_OK) sched_yield();
        }
        for (i = 0; i < COUNT; ++i) {
            if (mode > 0) CHECK(h[i] == GASNET_COLL_INVALID_HANDLE);
            check(i % OPERATIONS, &p[i], seed[i], me);
        }
    }
    CHECK(gasnet_coll_try_sync(GASNET_COLL_INVALID_HANDLE) == GASNET_OK);
    gasnet_coll_wait_sync(GASNET_COLL_INVALID_HANDLE);
}

static void barriers_of(gasnet_team_handle_t team) {
    const gasnet_image_t rank = gasnet_coll_team_rank(team), size = gasnet_coll_team_size(team);
    int got;
    CHECK(gasnet_coll_barrier(team, 0x5eed, 0) == GASNET_OK);
    gasnet_coll_barrier_notify(team, 0, GASNET_BARRIERFLAG_ANONYMOUS);
    while ((got = gasnet_coll_barrier_try(team, 0, GASNET_BARRIERFLAG_ANONYMOUS)) == GASNET_ERR_NOT_READY)
        sched_yield();
    CHECK(got == GASNET_OK);
    /* One named and else anonymous images; two names; a forced mismatch; a wait with another name. */
    gasnet_coll_barrier_notify(team, -7, rank == size - 1 ? 0 : GASNET_BARRIERFLAG_ANONYMOUS);
    CHECK(gasnet_coll_barrier_wait(team, -7, 0) == GASNET_OK);
    CHECK(gasnet_coll_barrier(team, (int)(rank == 0), 0) ==
          (size > 1 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK));
    CHECK(gasnet_coll_barrier(team, 3, rank == size / 2 ? GASNET_BARRIERFLAG_MISMATCH : 0) ==
          GASNET_ERR_BARRIER_MISMATCH);
    gasnet_coll_barrier_notify(team, 9, 0);
    CHECK(gasnet_coll_barrier_wait(team, rank == 0 ? 8 : 9, 0) ==
          (rank == 0 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK));
    CHECK(gasnet_coll_barrier(team, 0, GASNET_BARRIERFLAG_UNNAMED) == GASNET_OK);
}

/* This image's index among those of its node: of every second image, in rising or falling order. */
static gasnet_image_t index_in_half(const struct image *me, int falling) {
    const gasnet_image_t first = first_image[gasnet_mynode()], end = first_image[gasnet_mynode() + 1];
    gasnet_image_t i, index = 0;
    for (i = first; i < end; ++i)
        if (i % 2 == me->number % 2 && (falling ? i > me->number : i < me->number)) ++index;
    return index;
}

static void *run(void *argument) {
    struct image *const me = (struct image *)argument;
    const gasnet_image_t all = first_image[gasnet_nodes()], index = me->number - first_image[gasnet_mynode()];
    static const size_t sizes[] = {0, 1, 8, 17, 256, 257, 5000, 20000};
    gasnet_team_handle_t half, again;
    int round, i;
#ifdef GASNET_PAR
    gasnet_image_t counts[256];
    for (i = 0; i < (int)gasnet_nodes(); ++i) counts[i] = first_image[i + 1] - first_image[i];
    gasnet_coll_init(counts, me->number, functions, 2, 0);
#else
    gasnet_coll_init(0, 0, functions, 2, 0);
#endif
    CHECK(gasnet_coll_team_size(GASNET_TEAM_ALL) == all &&
          gasnet_coll_team_rank(GASNET_TEAM_ALL) == me->number);
    for (round = 0; round < effort(16); ++round) {
        for (i = 0; i < 8; ++i) each_operation(GASNET_TEAM_ALL, index, me, sizes[(i + round) % 8]);
        if (round % 4 == 0) many_at_once(GASNET_TEAM_ALL, index, me);
    }
    {
        /* Large blocks: more than a message carries. */
        struct part p = part_of(GASNET_TEAM_ALL, me, MOST_BYTES);
        p.root = all / 2, p.dst = me->out, p.src = me->in;
        memset(me->out, 0xee, room);
        prepare(BROADCAST, &p, 99);
        start(BROADCAST, 0, &p);
        check(BROADCAST, &p, 99, me);
        if (p.rank == p.root) p.src = p.dst; /* in place */
        start(BROADCAST, 0, &p);
        check(BROADCAST, &p, 99, me);
    }
    barriers_of(GASNET_TEAM_ALL);

    /* Even and odd images, from the last to the first; and each of these alone with its neighbour. */
    half = gasnet_coll_team_split(GASNET_TEAM_ALL, me->number % 2, all - me->number);
    CHECK(gasnet_coll_team_size(half) == (all + 1 - me->number % 2) / 2);
    CHECK(gasnet_coll_team_rank(half) == (all - 1 - me->number) / 2);
    again = gasnet_coll_team_split(half, gasnet_coll_team_rank(half) / 2, 0); /* equal: by rank */
    CHECK(gasnet_coll_team_rank(again) == gasnet_coll_team_rank(half) % 2);
    for (round = 0; round < effort(4); ++round) {
        each_operation(half, index_in_half(me, 1), me, sizes[round]);
        each_operation(GASNET_TEAM_ALL, index, me, 33);
    }
    many_at_once(half, index_in_half(me, 1), me);
    barriers_of(half);
    barriers_of(again);
    gasnet_coll_team_free(again);
    gasnet_coll_team_free(half);
    CHECK(gasnet_coll_barrier(GASNET_TEAM_ALL, 0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK);
    return NULL;
}

static size_t image_room(void) { return (room + 4095) / 4096 * 4096; }

int main(int argc, char **argv) {
    gasnet_seginfo_t *segments;
    gasnet_image_t mine, i;
    gasnet_node_t n;
    struct image images[3];
    int id = 0;
    CALL(gasnet_init(&argc, &argv));
    for (n = 0; n < gasnet_nodes(); ++n) {
#ifdef GASNET_PAR
        first_image[n + 1] = first_image[n] + 1 + (n + 1) % 3;
#else
        first_image[n + 1] = first_image[n] + 1;
#endif
    }
    room = (size_t)first_image[gasnet_nodes()] * 20000 + SLACK;
    if (room < MOST_BYTES + SLACK) room = MOST_BYTES + SLACK;
    mine = first_image[gasnet_mynode() + 1] - first_image[gasnet_mynode()];
    CALL(gasnet_attach(NULL, 0, 3 * image_room() / GASNET_PAGESIZE * GASNET_PAGESIZE + GASNET_PAGESIZE, 0));
    segments = (gasnet_seginfo_t *)calloc(gasnet_nodes(), sizeof *segments);
    CALL(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()));
    CALL(gasnet_barrier(0x5eed, 0));
    gasnet_barrier_notify(0x5eee, 0); /* collectives may come between this and the wait */
    for (i = 0; i < mine; ++i) {
        images[i].number = first_image[gasnet_mynode()] + i;
        images[i].random = 1;
        images[i].in = (unsigned char *)malloc(room);
        images[i].expected = (unsigned char *)malloc(room);
        /* In the segment for every second image, so that data goes by remote access too. */
        images[i].out = images[i].number % 2
                            ? (unsigned char *)malloc(room)
                            : (unsigned char *)segments[gasnet_mynode()].addr + i * image_room();
    }
#ifdef GASNET_SEQ
    run(&images[0]);
#else
    {
        pthread_t threads[3];
        for (i = 0; i < mine; ++i) CHECK(pthread_create(&threads[i], NULL, run, &images[i]) == 0);
        for (i = 0; i < mine; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
    }
#endif
    CALL(gasnet_barrier_wait(0x5eee, 0));
    CHECK(gasnet_barrier_result(&id) == 0 && id == 0x5eee);
    gasnet_exit(0);
    return 0;
}
