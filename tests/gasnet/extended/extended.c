/* SPDX-License-Identifier: BSD-3-Clause */
/* Put, get, memset and values in every form, at random, against plain arrays; handles, regions, deep queues. */
#include "extended.h"

/* An operation of a round: each has its own slice of the area, so they may end in any order. */
typedef struct {
    gasnet_node_t node;
    size_t at, n;
    int get, value;
    unsigned char *buf; /* a get's destination */
    gasnet_valget_handle_t valget;
} op_t;
enum { OPS = 24, SLICE = AREA / OPS };

static uint64_t low_bytes(const void *p, size_t n) {
    uint64_t v = 0;
    memcpy(&v, p, n); /* little-endian hosts only */
    return v;
}

/* Issues one operation; form: 0 blocking, 1 explicit, 2 implicit. Returns its handle. */
static gasnet_handle_t issue(worker_t *w, op_t *o, int slice, int form, unsigned char *src) {
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 100, 1000, SLICE - 16};
    const int kind = (int)below(w, 8);
    gasnet_handle_t h = GASNET_INVALID_HANDLE;
    void *there;
    memset(o, 0, sizeof *o);
    o->node = (gasnet_node_t)below(w, gasnet_nodes());
    o->n = below(w, 3) != 0 ? sizes[below(w, sizeof sizes / sizeof *sizes)] : below(w, SLICE - 16);
    o->at = (size_t)slice * SLICE + (kind < 4 ? below(w, 16) : 8);
    o->buf = w->dest + o->at;
    there = area(w, o->node) + o->at;
    if (kind == 7 || kind == 6) o->n = 1 + below(w, 8);
    fill_randomly(w, src, o->n);
    switch (kind) {
    case 0:
    case 4: /* put */
        memcpy(model(w, o->node) + o->at, src, o->n);
        if (form == 0 && kind == 0)
            gasnet_put_bulk(o->node, there, src, o->n);
        else if (form == 0)
            gasnet_put(o->node, there, src, o->n);
        else if (form == 1 && kind == 0)
            h = gasnet_put_nb_bulk(o->node, there, src, o->n);
        else if (form == 1)
            h = gasnet_put_nb(o->node, there, src, o->n);
        else if (kind == 0)
            gasnet_put_nbi_bulk(o->node, there, src, o->n);
        else
            gasnet_put_nbi(o->node, there, src, o->n);
        if (kind == 4 || form == 0) memset(src, 0xee, o->n); /* captured */
        break;
    case 1:
    case 2:
    case 5: /* get */
        o->get = 1;
        memset(o->buf, 0xdd, o->n);
        if (form == 0 && kind != 5)
            gasnet_get_bulk(o->buf, o->node, there, o->n);
        else if (form == 0)
            gasnet_get(o->buf, o->node, there, o->n);
        else if (form == 1 && kind != 5)
            h = gasnet_get_nb_bulk(o->buf, o->node, there, o->n);
        else if (form == 1)
            h = gasnet_get_nb(o->buf, o->node, there, o->n);
        else if (kind != 5)
            gasnet_get_nbi_bulk(o->buf, o->node, there, o->n);
        else
            gasnet_get_nbi(o->buf, o->node, there, o->n);
        break;
    case 3: { /* memset */
        const int val = (int)random_number(&w->random);
        memset(model(w, o->node) + o->at, (unsigned char)val, o->n);
        if (form == 0)
            gasnet_memset(o->node, there, val, o->n);
        else if (form == 1)
            h = gasnet_memset_nb(o->node, there, val, o->n);
        else
            gasnet_memset_nbi(o->node, there, val, o->n);
        break;
    }
    case 6: { /* put of a value: the bytes above n are not stored */
        const uint64_t v = (uint64_t)random_number(&w->random) << 33 ^ (uint64_t)random_number(&w->random)
                                                                           << 7;
        memcpy(model(w, o->node) + o->at, &v, o->n);
        if (form == 0)
            gasnet_put_val(o->node, there, v, o->n);
        else if (form == 1)
            h = gasnet_put_nb_val(o->node, there, v, o->n);
        else
            gasnet_put_nbi_val(o->node, there, v, o->n);
        break;
    }
    default: /* get of a value */
        if (form == 0) {
            CHECK(gasnet_get_val(o->node, there, o->n) == low_bytes(model(w, o->node) + o->at, o->n));
        } else {
            o->value = 1;
            o->valget = gasnet_get_nb_val(o->node, there, o->n);
        }
    }
    return h;
}

/* Completes all operations of the array by one of the calls. */
static void synchronise(worker_t *w, gasnet_handle_t *h, size_t n) {
    size_t i;
    switch (below(w, 6)) {
    case 0: gasnet_wait_syncnb_all(h, n); break;
    case 1:
        while (gasnet_try_syncnb_all(h, n) != GASNET_OK) {
        }
        break;
    case 2:
        for (;;) {
            int left = 0;
            gasnet_wait_syncnb_some(h, n);
            for (i = 0; i < n; ++i) left |= h[i] != GASNET_INVALID_HANDLE;
            if (!left) break;
        }
        break;
    case 3:
        for (;;) {
            int left = 0;
            const int got = gasnet_try_syncnb_some(h, n);
            CHECK(got == GASNET_OK || got == GASNET_ERR_NOT_READY);
            for (i = 0; i < n; ++i) left |= h[i] != GASNET_INVALID_HANDLE;
            if (!left) break;
        }
        break;
    case 4:
        for (i = n; i-- > 0;) {
            gasnet_wait_syncnb(h[i]);
            h[i] = GASNET_INVALID_HANDLE;
        }
        break;
    default:
        for (i = 0; i < n; ++i) {
            while (gasnet_try_syncnb(h[i]) != GASNET_OK) {
            }
            h[i] = GASNET_INVALID_HANDLE;
        }
    }
    for (i = 0; i < n; ++i) CHECK(h[i] == GASNET_INVALID_HANDLE);
    gasnet_wait_syncnb_all(h, n); /* no operation left: all of these return at once */
    gasnet_wait_syncnb_some(h, n);
    CHECK(gasnet_try_syncnb_all(h, n) == GASNET_OK && gasnet_try_syncnb_some(h, n) == GASNET_OK);
}

static void synchronise_implicit(worker_t *w) {
    switch (below(w, 4)) {
    case 0: gasnet_wait_syncnbi_all(); break;
    case 1:
        gasnet_wait_syncnbi_puts();
        gasnet_wait_syncnbi_gets();
        break;
    case 2:
        while (gasnet_try_syncnbi_all() != GASNET_OK) {
        }
        break;
    default:
        while (gasnet_try_syncnbi_gets() != GASNET_OK) {
        }
        while (gasnet_try_syncnbi_puts() != GASNET_OK) {
        }
    }
    CHECK(gasnet_try_syncnbi_all() == GASNET_OK && gasnet_try_syncnbi_gets() == GASNET_OK &&
          gasnet_try_syncnbi_puts() == GASNET_OK);
}

static void random_rounds(worker_t *w) {
    int round, i;
    for (round = 0; round < effort(60); ++round) {
        op_t ops[OPS];
        gasnet_handle_t h[OPS + 1];
        const int region = below(w, 3) == 0;
        const int only = (int)below(w, 5); /* 0: blocking, 1: explicit, 2: implicit, else mixed */
        if (region) gasnet_begin_nbi_accessregion();
        for (i = 0; i < OPS; ++i) {
            const int form = only < 3 ? only : (int)below(w, 3);
            h[i] = issue(w, &ops[i], i, form, w->source + i * SLICE + below(w, 8));
        }
        h[OPS] = region ? gasnet_end_nbi_accessregion() : GASNET_INVALID_HANDLE;
        synchronise(w, h, OPS + 1);
        synchronise_implicit(w);
        for (i = 0; i < OPS; ++i) {
            const unsigned char *expected = model(w, ops[i].node) + ops[i].at;
            if (ops[i].value)
                CHECK(gasnet_wait_syncnb_valget(ops[i].valget) == low_bytes(expected, ops[i].n));
            if (ops[i].get) CHECK(memcmp(ops[i].buf, expected, ops[i].n) == 0);
        }
        if (round % 10 == 9) compare_areas(w, "a round of random operations");
    }
    compare_areas(w, "random operations");
}

/* Many handles at once, in an array that calloc made, with entries that were never assigned. */
static void deep_queues(worker_t *w) {
    const size_t count = (size_t)effort(200000 / THREADS);
    const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
    gasnet_handle_t *h = (gasnet_handle_t *)calloc(count + 100, sizeof *h);
    gasnet_valget_handle_t values[700];
    size_t i, words = AREA / 8;
    uint64_t *there = (uint64_t *)area(w, peer), *mine = (uint64_t *)model(w, peer),
             *got = (uint64_t *)w->dest;
    CHECK(h != NULL && h[3] == GASNET_INVALID_HANDLE);
    for (i = 0; i < count; ++i) {
        uint64_t v = i * 0x9e3779b97f4a7c15u + w->index;
        if (i < words) {
            mine[i] = v;
            h[i] = gasnet_put_nb(peer, there + i, &v, 8);
            v = 0;
        } else {
            h[i] = gasnet_get_nb(got + i % words, peer, (char *)base_of[peer], 0 + 8);
        }
    }
    while (gasnet_try_syncnb_some(h, count + 100) != GASNET_OK) {
    }
    gasnet_wait_syncnb_all(h, count + 100);
    for (i = 0; i < count + 100; ++i) CHECK(h[i] == GASNET_INVALID_HANDLE);
    free(h);
    if (count < words) { /* part of the work: the model has what was put */
        for (i = count; i < words; ++i) gasnet_get(&mine[i], peer, &there[i], 8);
    }
    compare_areas(w, "many explicit puts");

    for (i = 0; i < 700; ++i) values[i] = gasnet_get_nb_val(peer, &there[i], 8);
    for (i = 0; i < 700; ++i) {
        const size_t k =
            i % 2 ? 700 - i : i; /* in any order, each once: odd from the end, even from the start */
        CHECK(gasnet_wait_syncnb_valget(values[k]) == mine[k]);
    }
    for (i = 0; i < count; ++i) gasnet_put_nbi_val(peer, &there[i % words], i, 8);
    gasnet_wait_syncnbi_puts();
    for (i = 0; i < (count < words ? count : words); ++i) mine[i] = (count - 1 - i) / words * words + i;
    /* Puts are not ordered among themselves: writes the final values again. */
    for (i = 0; i < words; ++i) gasnet_put_nbi(peer, &there[i], &mine[i], 8);
    for (i = 0; i < words; ++i) gasnet_get_nbi(&got[i], gasnet_mynode(), area(w, gasnet_mynode()), 8);
    gasnet_wait_syncnbi_all();
    compare_areas(w, "many implicit puts");
}

/* Non-bulk puts capture their source before they return, for every size, from private memory and from the segment. */
static void captured(worker_t *w) {
    static const size_t sizes[] = {1, 8, 64, 500, 4096, 8192, 20000, AREA / 2};
    const gasnet_node_t peer = (gasnet_mynode() + gasnet_nodes() - 1) % gasnet_nodes();
    const gasnet_node_t me = gasnet_mynode();
    size_t i, k;
    for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (k = 0; k < 4; ++k) {
            gasnet_handle_t h = GASNET_INVALID_HANDLE;
            unsigned char *src = k < 2 || me == peer ? w->source : (unsigned char *)area(w, me) + AREA / 2;
            const size_t n = sizes[i];
            fill_randomly(w, src, n);
            memcpy(model(w, peer), src, n);
            if (k % 2 == 0)
                h = gasnet_put_nb(peer, area(w, peer), src, n);
            else
                gasnet_put_nbi(peer, area(w, peer), src, n);
            memset(src, 0xab, n);
            if (src != w->source) memset(model(w, me) + AREA / 2, 0xab, n);
            gasnet_wait_syncnb(h);
            gasnet_wait_syncnbi_puts();
            gasnet_get_bulk(w->dest, peer, area(w, peer), n);
            CHECK(memcmp(w->dest, model(w, peer), n) == 0);
        }
    }
    compare_areas(w, "puts whose source changed at once");
}

/* Exactly coinciding source and destination, nothing to do at nonsense addresses, access regions without content. */
static void corners(worker_t *w) {
    const gasnet_node_t me = gasnet_mynode(), peer = (me + 1) % gasnet_nodes();
    char *const nowhere = (char *)(uintptr_t)8;
    gasnet_handle_t h[3];
    gasnet_node_t node;
    for (node = 0; node < gasnet_nodes(); ++node) {
        fill_randomly(w, model(w, node), AREA);
        gasnet_put_bulk(node, area(w, node), model(w, node), AREA);
    }
    gasnet_put(me, area(w, me), area(w, me), 4096);
    gasnet_get_bulk(area(w, me), me, area(w, me), AREA);
    compare_areas(w, "copies to themselves");
    gasnet_put(peer, nowhere, nowhere, 0);
    gasnet_get_bulk(nowhere, peer, nowhere, 0);
    gasnet_memset(peer, nowhere, 1, 0);
    h[0] = gasnet_put_nb(peer, nowhere, nowhere, 0);
    h[1] = gasnet_get_nb_bulk(nowhere, peer, nowhere, 0);
    h[2] = gasnet_memset_nb(peer, nowhere, 1, 0);
    gasnet_put_nbi_bulk(peer, nowhere, nowhere, 0);
    gasnet_wait_syncnb_all(h, 3);
    gasnet_wait_syncnb(GASNET_INVALID_HANDLE);
    CHECK(gasnet_try_syncnb(GASNET_INVALID_HANDLE) == GASNET_OK);
    CHECK(gasnet_try_syncnb_all(h, 0) == GASNET_OK && gasnet_try_syncnb_some(h, 0) == GASNET_OK);
    gasnet_wait_syncnb_all(h, 0);
    gasnet_wait_syncnb_some(h, 0);
    gasnet_begin_nbi_accessregion();
    gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
    /* An explicit operation inside a region ends inside it; the region's own does not hold back syncnbi later. */
    gasnet_begin_nbi_accessregion();
    gasnet_put_nbi_val(peer, area(w, peer), 7, 1);
    gasnet_wait_syncnb(gasnet_put_nb_val(peer, area(w, peer) + 1, 8, 1));
    h[0] = gasnet_end_nbi_accessregion();
    CHECK(gasnet_try_syncnbi_all() == GASNET_OK);
    gasnet_wait_syncnb_some(h, 1);
    CHECK(gasnet_get_val(peer, area(w, peer), 1) == 7 && gasnet_get_val(peer, area(w, peer) + 1, 1) == 8);
    model(w, peer)[0] = 7;
    model(w, peer)[1] = 8;
    compare_areas(w, "corner cases");
}

/* A loop of gets sees another node's store, and polls for that node meanwhile. */
static void flag_of(worker_t *w) {
    const gasnet_node_t me = gasnet_mynode(), right = (me + 1) % gasnet_nodes();
    uint64_t seen = 0;
    int step;
    gasnet_put_val(right, area(w, right) + AREA - 8, 0, 8);
    for (step = 1; step <= effort(20); ++step) {
        gasnet_put_val(right, area(w, right) + AREA - 8, (uint64_t)step, 8);
        do gasnet_get(&seen, right, area(w, right) + AREA - 8, 8);
        while (seen != (uint64_t)step);
    }
}

static void all(worker_t *w) {
    corners(w);
    captured(w);
    random_rounds(w);
    deep_queues(w);
    flag_of(w);
}

int main(int argc, char **argv) {
    start_client(&argc, &argv);
    run_workers(all);
    barrier();
    run_workers(corners); /* threads that start after others have ended */
    barrier();
    gasnet_exit(0);
    return 0;
}
