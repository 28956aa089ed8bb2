/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector, indexed and strided copies in all forms, at random, several under way at once, against plain loops. */
#include <gasnet_vis.h>

#include "extended.h"
#include <gasnet_tools.h>

enum { CALLS = 6, SLICE = AREA / CALLS, PIECES = 40, LEVELS = 6 };

/* One side of a call: pieces in stream order, at offsets of a slice of SLICE bytes. */
typedef struct {
    size_t count, total;
    size_t at[PIECES * 8], len[PIECES * 8];
} side_t;

/* The data of a call until it is synchronised. */
typedef struct {
    gasnet_node_t node;
    side_t local, remote;
    gasnet_memvec_t dstv[PIECES * 8], srcv[PIECES * 8];
    void *dsti[PIECES * 8], *srci[PIECES * 8];
    size_t dststrides[LEVELS], srcstrides[LEVELS], count[LEVELS + 1];
    unsigned char *mem;          /* the local slice */
    unsigned char before[SLICE]; /* its contents before the call */
    int get;
} call_t;

/* Cuts `total` bytes into pieces that do not overlap, in any order of addresses. */
static void cut(worker_t *w, side_t *s, size_t total, size_t length) {
    const size_t alike = below(w, 2) ? 0 : (size_t)1 << below(w, 7);
    size_t i, left = total, at = 0, n = 0;
    s->total = total;
    while (left > 0) {
        /* Vectors: any lengths, or mostly one. */
        const size_t some = alike != 0 && below(w, 12) != 0 ? (alike < left ? alike : left)
                                                            : 1 + below(w, left < 60 ? left : 60);
        const size_t len = length != 0 ? length : some;
        const size_t gap = below(w, 9);
        s->at[n] = at + gap;
        s->len[n] = len;
        at += gap + len;
        left -= len;
        if (++n == PIECES * 8 - 1 && length == 0) { /* the last takes the rest */
            s->at[n] = at;
            s->len[n++] = left;
            left = 0;
        }
    }
    for (i = n; i-- > 1;) { /* shuffle */
        const size_t k = below(w, i + 1), a = s->at[i], l = s->len[i];
        s->at[i] = s->at[k];
        s->len[i] = s->len[k];
        s->at[k] = a;
        s->len[k] = l;
    }
    s->count = n;
}

/* The pieces of a strided side, dimension 1 fastest. */
static void cut_strided(side_t *s, const size_t *strides, const size_t *count, size_t levels) {
    size_t index[LEVELS + 1] = {0}, i;
    s->count = s->total = 0;
    for (;;) {
        size_t at = 0;
        for (i = 0; i < levels; ++i) at += index[i] * strides[i];
        s->at[s->count] = at;
        s->len[s->count++] = count[0];
        s->total += count[0];
        for (i = 0; i < levels && ++index[i] == count[i + 1]; ++i) index[i] = 0;
        if (i == levels) break;
    }
}

/* The copy as plain loops. */
static void copy_model(unsigned char *to, const side_t *d, const unsigned char *from, const side_t *s) {
    size_t i = 0, k = 0, in = 0, out = 0, n;
    for (n = 0; n < s->total; ++n) {
        while (in == s->len[i]) ++i, in = 0;
        while (out == d->len[k]) ++k, out = 0;
        to[d->at[k] + out++] = from[s->at[i] + in++];
    }
}

static void fill_vector(gasnet_memvec_t *list, const side_t *s, char *base) {
    size_t i;
    for (i = 0; i < s->count; ++i) {
        list[i].addr = base + s->at[i];
        list[i].len = s->len[i];
    }
}
static void fill_list(void **list, const side_t *s, char *base) {
    size_t i;
    for (i = 0; i < s->count; ++i) list[i] = base + s->at[i];
}

static void random_strides(worker_t *w, size_t *strides, const size_t *count, size_t levels) {
    size_t i, least = count[0];
    for (i = 0; i < levels; ++i) {
        strides[i] = least + below(w, 4);
        least = strides[i] * count[i + 1];
    }
}

static gasnet_handle_t issue(worker_t *w, call_t *c, int slice, int form) {
    gasnet_handle_t h = GASNET_INVALID_HANDLE;
    const int family = (int)below(w, 3);
    size_t levels = 0, local_len = 0, remote_len = 0, i;
    char *there, *here = (char *)c->mem;
    const side_t *d, *s;
    c->node = (gasnet_node_t)below(w, gasnet_nodes());
    c->get = (int)below(w, 2);
    there = area(w, c->node) + (size_t)slice * SLICE;
    if (family == 0) {
        const size_t total = below(w, 6) == 0 ? 0 : below(w, 5000);
        cut(w, &c->local, total, 0);
        cut(w, &c->remote, total, 0);
    } else if (family == 1) {
        const size_t unit = 1 + below(w, 20), a = 1 + below(w, 3), b = 1 + below(w, 3), n = below(w, 25);
        local_len = unit * a;
        remote_len = unit * b;
        cut(w, &c->local, n * unit * a * b, local_len);
        cut(w, &c->remote, n * unit * a * b, remote_len);
    } else {
        const int nothing = below(w, 8) == 0;
        levels = below(w, LEVELS);
        c->count[0] = 1 + below(w, 30);
        for (i = 1; i <= levels; ++i) c->count[i] = below(w, 3) == 0 ? 1 : 1 + below(w, 3);
        random_strides(w, c->dststrides, c->count, levels);
        random_strides(w, c->srcstrides, c->count, levels);
        cut_strided(&c->local, c->get ? c->dststrides : c->srcstrides, c->count, levels);
        cut_strided(&c->remote, c->get ? c->srcstrides : c->dststrides, c->count, levels);
        if (nothing) {
            c->count[below(w, levels + 1)] = 0;
            c->local.count = c->local.total = c->remote.count = c->remote.total = 0;
        }
    }
    d = c->get ? &c->local : &c->remote;
    s = c->get ? &c->remote : &c->local;
    /* Local memory before: a put's source, or what a get must leave in the gaps. */
    fill_randomly(w, c->mem, SLICE);
    memcpy(c->before, c->mem, SLICE);
    if (!c->get) copy_model(model(w, c->node) + (size_t)slice * SLICE, d, c->mem, s);
    fill_vector(c->dstv, d, c->get ? here : there);
    fill_vector(c->srcv, s, c->get ? there : here);
    fill_list(c->dsti, d, c->get ? here : there);
    fill_list(c->srci, s, c->get ? there : here);
    {
        char *to = c->get ? here : there, *from = c->get ? there : here;
        const size_t dl = c->get ? local_len : remote_len, sl = c->get ? remote_len : local_len;
        const size_t dn = d->count, sn = s->count;
        const gasnet_node_t node = c->node;
        if (family == 0 && !c->get) {
            if (form == 0)
                gasnet_putv_bulk(node, dn, c->dstv, sn, c->srcv);
            else if (form == 1)
                h = gasnet_putv_nb_bulk(node, dn, c->dstv, sn, c->srcv);
            else
                gasnet_putv_nbi_bulk(node, dn, c->dstv, sn, c->srcv);
        } else if (family == 0) {
            if (form == 0)
                gasnet_getv_bulk(dn, c->dstv, node, sn, c->srcv);
            else if (form == 1)
                h = gasnet_getv_nb_bulk(dn, c->dstv, node, sn, c->srcv);
            else
                gasnet_getv_nbi_bulk(dn, c->dstv, node, sn, c->srcv);
        } else if (family == 1 && !c->get) {
            if (form == 0)
                gasnet_puti_bulk(node, dn, c->dsti, dl, sn, c->srci, sl);
            else if (form == 1)
                h = gasnet_puti_nb_bulk(node, dn, c->dsti, dl, sn, c->srci, sl);
            else
                gasnet_puti_nbi_bulk(node, dn, c->dsti, dl, sn, c->srci, sl);
        } else if (family == 1) {
            if (form == 0)
                gasnet_geti_bulk(dn, c->dsti, dl, node, sn, c->srci, sl);
            else if (form == 1)
                h = gasnet_geti_nb_bulk(dn, c->dsti, dl, node, sn, c->srci, sl);
            else
                gasnet_geti_nbi_bulk(dn, c->dsti, dl, node, sn, c->srci, sl);
        } else if (!c->get) {
            if (form == 0)
                gasnet_puts_bulk(node, to, c->dststrides, from, c->srcstrides, c->count, levels);
            else if (form == 1)
                h = gasnet_puts_nb_bulk(node, to, c->dststrides, from, c->srcstrides, c->count, levels);
            else
                gasnet_puts_nbi_bulk(node, to, c->dststrides, from, c->srcstrides, c->count, levels);
        } else {
            if (form == 0)
                gasnet_gets_bulk(to, c->dststrides, node, from, c->srcstrides, c->count, levels);
            else if (form == 1)
                h = gasnet_gets_nb_bulk(to, c->dststrides, node, from, c->srcstrides, c->count, levels);
            else
                gasnet_gets_nbi_bulk(to, c->dststrides, node, from, c->srcstrides, c->count, levels);
        }
    }
    /* Lists may be changed at once. */
    memset(c->dstv, 0x77, sizeof c->dstv);
    memset(c->srcv, 0x77, sizeof c->srcv);
    memset(c->dsti, 0x77, sizeof c->dsti);
    memset(c->srci, 0x77, sizeof c->srci);
    memset(c->dststrides, 0x77, sizeof c->dststrides);
    memset(c->srcstrides, 0x77, sizeof c->srcstrides);
    memset(c->count, 0x77, sizeof c->count);
    return h;
}

static void mixed(worker_t *w) {
    call_t *calls = (call_t *)malloc(CALLS * sizeof *calls);
    unsigned char *expected = (unsigned char *)malloc(SLICE);
    gasnet_handle_t h[CALLS + 1];
    gasnet_node_t node;
    int round, i;
    for (node = 0; node < gasnet_nodes(); ++node) {
        fill_randomly(w, model(w, node), AREA);
        gasnet_put_bulk(node, area(w, node), model(w, node), AREA);
    }
    for (round = 0; round < effort(150); ++round) {
        const int region = below(w, 3) == 0;
        if (region) gasnet_begin_nbi_accessregion();
        for (i = 0; i < CALLS; ++i) {
            calls[i].mem = w->source + (size_t)i * SLICE;
            h[i] = issue(w, &calls[i], i, (int)below(w, 3));
        }
        h[CALLS] = region ? gasnet_end_nbi_accessregion() : GASNET_INVALID_HANDLE;
        if (round % 2)
            gasnet_wait_syncnb_all(h, CALLS + 1);
        else
            while (gasnet_try_syncnb_all(h, CALLS + 1) != GASNET_OK) {
            }
        gasnet_wait_syncnbi_all();
        for (i = 0; i < CALLS; ++i) {
            call_t *c = &calls[i];
            if (!c->get) continue;
            memcpy(expected, c->before, SLICE);
            copy_model(expected, &c->local, model(w, c->node) + (size_t)i * SLICE, &c->remote);
            CHECK(memcmp(expected, c->mem, SLICE) == 0);
        }
        if (round % 25 == 24) compare_areas(w, "non-contiguous copies");
    }
    compare_areas(w, "non-contiguous copies");
    free(calls);
    free(expected);
}

static void texts(void) {
    size_t strides[2] = {100, 10000}, count[3] = {8, 3, 5}, k;
    gasnet_memvec_t list[200];
    void *addresses[200];
    char *buf;
    for (k = 0; k < 200; ++k) {
        list[k].addr = addresses[k] = (char *)list + k;
        list[k].len = k;
    }
    for (k = 0; k <= 200; k += 50) {
        buf = (char *)malloc(gasnett_format_memveclist_bufsz(k));
        CHECK(gasnett_format_memveclist(buf, k, list).totalsz == k * (k - 1) / 2 || k == 0);
        CHECK(strlen(buf) < gasnett_format_memveclist_bufsz(k));
        free(buf);
        buf = (char *)malloc(gasnett_format_addrlist_bufsz(k));
        gasnett_format_addrlist(buf, k, addresses, 8);
        CHECK(strlen(buf) < gasnett_format_addrlist_bufsz(k));
        free(buf);
        buf = (char *)malloc(gasnett_format_putvgetv_bufsz(k, 3));
        CHECK(gasnett_format_putvgetv(buf, 0, k, list, 3, list) == k * (k > 0 ? k - 1 : 0) / 2);
        free(buf);
        buf = (char *)malloc(gasnett_format_putigeti_bufsz(k, k));
        CHECK(gasnett_format_putigeti(buf, 0, k, addresses, 4, k, addresses, 4) == 4 * k);
        free(buf);
    }
    buf = (char *)malloc(gasnett_format_putsgets_bufsz(2));
    CHECK(gasnett_format_putsgets(buf, NULL, 0, buf, strides, buf, strides, count, 2) == 120);
    CHECK(strstr(buf, "[100, 10000]") != NULL && strstr(buf, "[8, 3, 5]") != NULL);
    gasnett_format_strides(buf, 2, strides);
    free(buf);
}

int main(int argc, char **argv) {
    start_client(&argc, &argv);
    texts();
    run_workers(mixed);
    barrier();
    gasnet_exit(0);
    return 0;
}
