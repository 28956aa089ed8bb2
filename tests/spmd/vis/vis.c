/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-contiguous copies against a serial model: every form, direction and completion, random shapes, several
 * in flight. Each UPC thread has an area in every thread's memory that it alone uses, and private memory, and
 * a model of all of them. An area's first half receives (in parts, one for each operation of a
 * batch), its second half is copied from.
 */
#include "tests/spmd/vis/vis_areas.h"

static const char *const form_names[] = {"vlist",     "ilist",     "fstrided", "strided",
                                         "strided2d", "strided3d", "transpose"};
static const char *const direction_names[] = {"memcpy", "memput", "memget"};

static upcr_handle_t start(areas_t *l, form_t form, direction_t d, int async, unsigned part) {
    l->bytes = 0;
    switch (form) {
    case kVlist: return vis_vlist(l, d, async, part);
    case kIlist: return vis_ilist(l, d, async, part);
    case kFstrided: return vis_fstrided(l, d, async, part);
    case kTranspose: return vis_transpose(l, d, async, part);
    default: return vis_strided(l, form, d, async, part);
    }
}

static void fresh_sources(areas_t *l) {
    for (unsigned s = 0; s <= l->threads; ++s) {
        unsigned char *half = l->model[s] + kHalf;
        for (size_t i = 0; i < kHalf; i += 8) {
            const uint64_t r = spmd_random(&l->random);
            memcpy(half + i, &r, 8);
        }
        if (s < l->threads)
            upcr_memput(shared_at(l, (location_t){s, kHalf}), half, kHalf);
        else
            memcpy(l->private + kHalf, half, kHalf);
    }
}

static void check(areas_t *l, size_t from, size_t to, const char *what) {
    static _Thread_local unsigned char got[kArea];
    for (unsigned s = 0; s <= l->threads; ++s) {
        const unsigned char *there = l->private + from;
        if (s < l->threads) {
            upcr_memget(got, shared_at(l, (location_t){s, from}), to - from);
            there = got;
        }
        for (size_t i = 0; i < to - from; ++i)
            if (there[i] != l->model[s][from + i])
                SPMD_FAIL("seed %llu, batch %u (%s): byte %zu of %s %u is %02x, not %02x",
                          (unsigned long long)l->seed, l->batch, what, from + i,
                          s < l->threads ? "the area of thread" : "private memory", s, there[i],
                          l->model[s][from + i]);
    }
}

static void one_batch(areas_t *l) {
    upcr_handle_t handles[kFlight];
    char what[kFlight * 260] = "";
    size_t end = 0;
    fresh_sources(l);
    for (unsigned part = 0; part < kFlight; ++part) {
        const form_t form = (form_t)((l->batch * kFlight + part) % kForms);
        const direction_t d = (direction_t)below(l, kDirections);
        const int async = below(l, 3) != 0;
        handles[part] = start(l, form, d, async, part);
        end += (size_t)snprintf(what + end, sizeof what - end, "%s%s_%s%s: %s", part ? "; " : "",
                                direction_names[d], form_names[form], async ? "_async" : "", l->text);
        for (size_t i = 0; i < l->bytes; ++i)
            l->model[l->to[i].space][l->to[i].offset] = l->model[l->from[i].space][l->from[i].offset];
    }
    for (unsigned part = kFlight; part-- > 0;) upcr_wait_syncnb(handles[part]);
    check(l, 0, kHalf, what);
}

/* Many packets in one operation, there and back in other shapes, and on to a third thread. */
enum { kRow = 300, kFar = 512, kNear = 301, kRows = 1024 };
static unsigned char pattern(size_t row, size_t i, unsigned me) {
    return (unsigned char)(row * 31 + i * 7 + me);
}
static void large(void) {
    const size_t rows = spmd_effort(kRows);
    const unsigned me = upcr_mythread();
    const upcr_shared_ptr_t all = spmd_alloc(kFar * kRows),
                            next = spmd_part(all, (me + 1) % upcr_threads(), 0);
    const upcr_shared_ptr_t other = spmd_alloc(kFar * kRows),
                            third = spmd_part(other, (me + 2) % upcr_threads(), 0);
    unsigned char *out = malloc(kNear * rows), *back = malloc(kNear * rows);
    upcr_handle_t h[2];
    for (size_t r = 0; r < rows; ++r)
        for (size_t i = 0; i < kRow; ++i) out[r * kNear + i] = pattern(r, i, me);
    h[0] = bupc_memput_strided2d_async(next, kFar, out, kNear, kRow, rows / 2);
    h[1] = bupc_memput_strided2d_async(spmd_part(next, upcr_threadof_shared(next), rows / 2 * kFar), kFar,
                                       out + rows / 2 * kNear, kNear, kRow, rows - rows / 2);
    upcr_wait_syncnb_all(h, 2);
    h[0] = bupc_memcpy_fstrided_async(third, kRow, kNear, rows, next, kRow, kFar, rows);
    memset(back, 0, kNear * rows);
    h[1] = bupc_memget_fstrided_async(back, kRow / 2, kRow / 2, 2 * rows, next, kRow, kFar, rows);
    upcr_wait_syncnb_all(h, 2);
    for (size_t k = 0; k < kRow * rows; ++k)
        if (back[k] != pattern(k / kRow, k % kRow, me))
            SPMD_FAIL("byte %zu of the large section is wrong", k);
    bupc_memget_strided2d(back, kRow, third, kNear, kRow, rows);
    for (size_t k = 0; k < kRow * rows; ++k)
        if (back[k] != pattern(k / kRow, k % kRow, me)) SPMD_FAIL("byte %zu of its copy is wrong", k);
    free(out), free(back);
}

/* Lists with more entries than one message holds, of one length and of many, there and back. */
enum { kPieces = 40000, kSpan = 24 };
static void large_lists(void) {
    const size_t pieces = spmd_effort(kPieces) / 8 * 8 + 8;
    const unsigned me = upcr_mythread();
    const upcr_shared_ptr_t next = spmd_part(spmd_alloc(kSpan * (kPieces + 8)), (me + 1) % upcr_threads(), 0);
    const unsigned there = upcr_threadof_shared(next);
    uint64_t *out = malloc(16 * pieces), *back = malloc(16 * pieces);
    upcr_shared_ptr_t *places = malloc(pieces * sizeof *places);
    bupc_smemvec_t *regions = malloc(pieces * sizeof *regions);
    void *whole[1] = {back};
    const void *source[1] = {out};
    for (size_t i = 0; i < pieces; ++i) {
        const size_t at = i / 8 * 8 + (i * 5 + 3) % 8; /* each once, unordered */
        out[i] = i * 0x9e3779b97f4a7c15u + me, out[pieces + i] = ~out[i];
        places[i] = spmd_part(next, there, kSpan * at);
        regions[i] = (bupc_smemvec_t){places[i], i % 3 == 2 ? 16 - i % 2 : 4 + i % 2};
    }
    bupc_memput_ilist(pieces, places, 8, 1, source, 8 * pieces);
    memset(back, 0, 8 * pieces);
    bupc_memget_ilist(1, whole, 8 * pieces, pieces, places, 8);
    if (memcmp(back, out, 8 * pieces) != 0) SPMD_FAIL("a large list of places is wrong");
    size_t bytes = 0;
    for (size_t i = 0; i < pieces; ++i) bytes += regions[i].len;
    const bupc_pmemvec_t from = {out, bytes}, to = {back, bytes};
    upcr_handle_t h = bupc_memput_vlist_async(pieces, regions, 1, &from);
    upcr_wait_syncnb(h);
    memset(back, 0, 16 * pieces);
    h = bupc_memget_vlist_async(1, &to, pieces, regions);
    upcr_wait_syncnb(h);
    if (memcmp(back, out, bytes) != 0) SPMD_FAIL("a large list of regions is wrong");
    free(out), free(back), free(places), free(regions);
}

/* Contiguous sources of 8 KiB and more to rows and to lists of places, many at once, which a conduit may read when the
   target is ready; the bytes between the places stay. */
enum { kPuts = 15, kMost = 300000 };
static void contiguous_to_rows(void) {
    static const size_t units[] = {8, 24, 100, 1000, 5000};
    const unsigned me = upcr_mythread(), peer = (me + 1) % upcr_threads();
    const size_t most = 2 * kMost + 10000;
    const upcr_shared_ptr_t all = spmd_alloc(kPuts * most);
    unsigned char *out = malloc(kPuts * (size_t)kMost), *back = malloc(most);
    upcr_shared_ptr_t *places = malloc(kMost / 24 * sizeof *places);
    upcr_handle_t h[kPuts];
    size_t rows[kPuts];
    upcr_memset(spmd_part(all, me, 0), '#', kPuts * most);
    spmd_barrier();
    for (size_t i = 0; i < kPuts * (size_t)kMost; ++i) out[i] = pattern(i / 1000, i, me);
    for (unsigned k = 0; k < kPuts; ++k) {
        const size_t unit = units[k % 5], bytes = 13192 + spmd_effort(kMost - 20000) / (1 + k % 3);
        const upcr_shared_ptr_t to = spmd_part(all, peer, k * most);
        const void *from[1] = {out + k * (size_t)kMost};
        rows[k] = bytes / unit;
        if (unit == 8 || k % 2 == 0) {
            h[k] = bupc_memput_strided2d_async(to, 2 * unit, from[0], unit, unit, rows[k]);
            continue;
        }
        for (size_t i = 0; i < rows[k]; ++i) places[i] = spmd_part(to, peer, 2 * unit * i);
        h[k] = bupc_memput_ilist_async(rows[k], places, unit, 1, from, unit * rows[k]);
    }
    upcr_wait_syncnb_all(h, kPuts);
    for (unsigned k = 0; k < kPuts; ++k) {
        const size_t unit = units[k % 5];
        upcr_memget(back, spmd_part(all, peer, k * most), most);
        for (size_t i = 0; i < most; ++i) {
            const size_t row = i / (2 * unit), at = i % (2 * unit);
            const unsigned char right =
                row < rows[k] && at < unit ? out[k * (size_t)kMost + row * unit + at] : '#';
            if (back[i] != right) SPMD_FAIL("put %u, byte %zu: %d instead of %d", k, i, back[i], right);
        }
    }
    spmd_barrier();
    free(out), free(back), free(places);
}

static void run(void) {
    areas_t *l = calloc(1, sizeof *l);
    const char *seed = getenv("SPMD_SEED");
    l->all = spmd_alloc((size_t)kArea * upcr_threads());
    l->threads = upcr_threads(), l->me = upcr_mythread();
    l->seed = seed != NULL ? strtoull(seed, NULL, 10) : 20070322;
    l->random = l->seed * 1000 + l->me;
    l->private = calloc(1, kArea);
    l->to = malloc((kPart + 1) * sizeof *l->to), l->from = malloc((kPart + 1) * sizeof *l->from);
    for (l->batch = 0; l->batch < spmd_effort(420); ++l->batch) one_batch(l);
    check(l, kHalf, kArea, "the sources");
    spmd_barrier();
    free(l->to), free(l->from), free(l->private), free(l);
    large();
    large_lists();
    contiguous_to_rows();
}

SPMD_MAIN(run)
