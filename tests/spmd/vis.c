/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-contiguous copies against a serial model: every form, direction and completion, random shapes, several
 * in flight. Each UPC thread has a lane in every thread's memory that it alone uses, and private memory: it
 * knows what must be in all of them. A lane's first half receives (in parts, one for each operation of a
 * batch), its second half is copied from.
 */
#include "tests/spmd/spmd.h"

enum { kHalf = 32768, kLane = 2 * kHalf, kFlight = 4, kPart = kHalf / kFlight, kMost = 6000, kEntries = 70 };
enum { kSlack = 17, kSpaces = 6 };
typedef enum { kVlist, kIlist, kFstrided, kStrided, kStrided2d, kStrided3d, kTranspose, kForms } form_t;
typedef enum { kCpy, kPut, kGet, kDirections } direction_t;

static const char *const form_names[] = {"vlist",     "ilist",     "fstrided", "strided",
                                         "strided2d", "strided3d", "transpose"};
static const char *const direction_names[] = {"memcpy", "memput", "memget"};

/* A place: a thread's lane, or the private memory, which comes behind the threads. */
typedef struct {
    unsigned space;
    size_t offset;
} place_t;

typedef struct {
    uint64_t random;
    upcr_shared_ptr_t all;
    unsigned threads, me;
    unsigned char *private;              /* kLane bytes */
    unsigned char model[kSpaces][kLane]; /* what must be there */
    uint64_t seed;
    unsigned batch;
    place_t *to, *from; /* of each byte of an operation */
    size_t bytes;
    char text[200]; /* what the last operation was */
} lanes_t;

static upcr_shared_ptr_t shared_at(const lanes_t *l, place_t p) {
    return spmd_part(l->all, p.space, (size_t)l->me * kLane + p.offset);
}
static size_t below(lanes_t *l, size_t limit) { return (size_t)spmd_below(&l->random, limit); }

static unsigned some_space(lanes_t *l, int shared) {
    return shared ? (unsigned)below(l, l->threads) : l->threads;
}

static void byte_pair(lanes_t *l, place_t to, place_t from) {
    l->to[l->bytes] = to;
    l->from[l->bytes++] = from;
}

/* ---- Lists ---- */

typedef struct {
    size_t count;
    place_t place[kEntries];
    size_t length[kEntries];
} list_t;

/* Random places for lengths that are set: the destination's apart from each other, in any order. */
static void place_list(lanes_t *l, list_t *list, int shared, int destination, unsigned part) {
    size_t next[kSpaces] = {0};
    for (size_t i = 0; i < list->count; ++i) {
        const unsigned space = some_space(l, shared);
        list->place[i].space = space;
        if (destination) {
            next[space] += below(l, 2) ? below(l, kSlack) : 0;
            list->place[i].offset = (size_t)part * kPart + next[space];
            next[space] += list->length[i];
            if (next[space] > kPart) SPMD_FAIL("the test's own arithmetic is wrong");
        } else {
            list->place[i].offset = kHalf + below(l, kHalf - list->length[i] + 1);
        }
    }
    for (size_t i = list->count; destination && i > 1; --i) {
        const size_t k = below(l, i);
        const place_t p = list->place[k];
        const size_t n = list->length[k];
        list->place[k] = list->place[i - 1], list->length[k] = list->length[i - 1];
        list->place[i - 1] = p, list->length[i - 1] = n;
    }
}
static void cut(lanes_t *l, list_t *list, size_t total) {
    list->count = 1 + below(l, 2) * below(l, kEntries - 2);
    for (size_t i = 0; i < list->count; ++i) list->length[i] = 0;
    for (size_t i = 0; i + 1 < list->count; ++i) { /* some stay 0 */
        list->length[i] = below(l, 4) == 0 ? 0 : below(l, 2 * total / list->count + 1);
        if (list->length[i] > total) list->length[i] = total;
        total -= list->length[i];
    }
    list->length[list->count - 1] = total;
}
static void pair_lists(lanes_t *l, const list_t *to, const list_t *from) {
    size_t f = 0, at = 0;
    for (size_t i = 0; i < to->count; ++i)
        for (size_t k = 0; k < to->length[i]; ++k) {
            while (at == from->length[f]) ++f, at = 0;
            byte_pair(l, (place_t){to->place[i].space, to->place[i].offset + k},
                      (place_t){from->place[f].space, from->place[f].offset + at});
            ++at;
        }
}

/* The library's form of a list. It is overwritten as soon as the call has returned. */
typedef union {
    bupc_smemvec_t smem[kEntries];
    bupc_pmemvec_t pmem[kEntries];
    upcr_shared_ptr_t shared[kEntries];
    void *address[kEntries];
} argument_t;
static void make_vector(const lanes_t *l, const list_t *list, int shared, argument_t *a) {
    for (size_t i = 0; i < list->count; ++i) {
        const int empty = list->length[i] == 0;
        if (shared) {
            a->smem[i].addr = empty ? upcr_null_shared : shared_at(l, list->place[i]);
            a->smem[i].len = list->length[i];
        } else {
            a->pmem[i].addr = empty ? NULL : l->private + list->place[i].offset;
            a->pmem[i].len = list->length[i];
        }
    }
}
static void make_addresses(const lanes_t *l, const list_t *list, int shared, argument_t *a) {
    for (size_t i = 0; i < list->count; ++i)
        if (shared)
            a->shared[i] = shared_at(l, list->place[i]);
        else
            a->address[i] = l->private + list->place[i].offset;
}

static upcr_handle_t vlist(lanes_t *l, direction_t d, int async, unsigned part) {
    list_t to, from;
    argument_t t, f;
    upcr_handle_t h = UPCR_INVALID_HANDLE;
    const size_t total = below(l, 20) == 0 ? 0 : 1 + below(l, kMost);
    cut(l, &to, total), cut(l, &from, total);
    place_list(l, &to, d != kGet, 1, part), place_list(l, &from, d != kPut, 0, part);
    make_vector(l, &to, d != kGet, &t), make_vector(l, &from, d != kPut, &f);
    snprintf(l->text, sizeof l->text, "%zu bytes, %zu to %zu regions", total, from.count, to.count);
    switch (d * 2 + async) {
    case 0: bupc_memcpy_vlist(to.count, t.smem, from.count, f.smem); break;
    case 1: h = bupc_memcpy_vlist_async(to.count, t.smem, from.count, f.smem); break;
    case 2: bupc_memput_vlist(to.count, t.smem, from.count, f.pmem); break;
    case 3: h = bupc_memput_vlist_async(to.count, t.smem, from.count, f.pmem); break;
    case 4: bupc_memget_vlist(to.count, t.pmem, from.count, f.smem); break;
    default: h = bupc_memget_vlist_async(to.count, t.pmem, from.count, f.smem); break;
    }
    memset(&t, 0xee, sizeof t), memset(&f, 0xee, sizeof f);
    pair_lists(l, &to, &from);
    return h;
}

static size_t some_length(lanes_t *l) {
    static const size_t lengths[] = {1, 2, 4, 8, 16, 32, 64, 3, 5, 7, 9, 12, 17, 24, 40, 48, 63, 65, 80, 100};
    return lengths[below(l, sizeof lengths / sizeof *lengths)];
}

/* Two lengths and counts with one product: (unit * a, b * m) and (unit * b, a * m). */
typedef struct {
    size_t length, count;
} chunks_t;
static void some_chunks(lanes_t *l, chunks_t *to, chunks_t *from) {
    size_t a, b, m, unit;
    do {
        unit = some_length(l);
        a = below(l, 2) ? 1 : 1 + below(l, 12);
        b = below(l, 2) ? 1 : 1 + below(l, 12);
        m = 1 + below(l, kEntries);
    } while (a * m > kEntries || b * m > kEntries || unit * a * b * m > kMost);
    to->length = unit * a, to->count = b * m;
    from->length = unit * b, from->count = a * m;
}

static upcr_handle_t ilist(lanes_t *l, direction_t d, int async, unsigned part) {
    list_t to, from;
    argument_t t, f;
    chunks_t tc, fc;
    upcr_handle_t h = UPCR_INVALID_HANDLE;
    some_chunks(l, &tc, &fc);
    to.count = tc.count, from.count = fc.count;
    for (size_t i = 0; i < to.count; ++i) to.length[i] = tc.length;
    for (size_t i = 0; i < from.count; ++i) from.length[i] = fc.length;
    place_list(l, &to, d != kGet, 1, part), place_list(l, &from, d != kPut, 0, part);
    make_addresses(l, &to, d != kGet, &t), make_addresses(l, &from, d != kPut, &f);
    snprintf(l->text, sizeof l->text, "%zu * %zu to %zu * %zu bytes", fc.count, fc.length, tc.count,
             tc.length);
    switch (d * 2 + async) {
    case 0: bupc_memcpy_ilist(to.count, t.shared, tc.length, from.count, f.shared, fc.length); break;
    case 1:
        h = bupc_memcpy_ilist_async(to.count, t.shared, tc.length, from.count, f.shared, fc.length);
        break;
    case 2: bupc_memput_ilist(to.count, t.shared, tc.length, from.count, f.address, fc.length); break;
    case 3:
        h = bupc_memput_ilist_async(to.count, t.shared, tc.length, from.count, f.address, fc.length);
        break;
    case 4: bupc_memget_ilist(to.count, t.address, tc.length, from.count, f.shared, fc.length); break;
    default:
        h = bupc_memget_ilist_async(to.count, t.address, tc.length, from.count, f.shared, fc.length);
        break;
    }
    memset(&t, 0xee, sizeof t), memset(&f, 0xee, sizeof f);
    pair_lists(l, &to, &from);
    return h;
}

/* ---- Sections ---- */

enum { kDims = 6 };
typedef struct {
    place_t base;
    ptrdiff_t stride[kDims]; /* of each dimension, the bytes of a row included */
} side_t;

static void pair_sections(lanes_t *l, const side_t *to, const side_t *from, const size_t *count,
                          unsigned dims) {
    size_t index[kDims] = {0};
    for (;;) {
        place_t t = to->base, f = from->base;
        unsigned i = 0;
        for (unsigned k = 0; k < dims; ++k) {
            t.offset += (size_t)(to->stride[k] * (ptrdiff_t)index[k]);
            f.offset += (size_t)(from->stride[k] * (ptrdiff_t)index[k]);
        }
        byte_pair(l, t, f);
        for (; i < dims; ++i) {
            if (++index[i] < count[i]) break;
            index[i] = 0;
        }
        if (i == dims) return;
    }
}

/* Puts a section that reaches `low` bytes before its base and is `size` bytes long somewhere. */
static void place_section(lanes_t *l, side_t *s, int shared, int destination, unsigned part, size_t low,
                          size_t size) {
    const size_t room = destination ? kPart : kHalf, start = destination ? (size_t)part * kPart : kHalf;
    s->base.space = some_space(l, shared);
    s->base.offset = start + low + below(l, room - size + 1);
}

static upcr_handle_t fstrided(lanes_t *l, direction_t d, int async, unsigned part) {
    chunks_t t, f;
    side_t to, from;
    size_t ts, fs;
    upcr_handle_t h = UPCR_INVALID_HANDLE;
    upcr_shared_ptr_t st, sf;
    char *pt, *pf;
    do {
        some_chunks(l, &t, &f);
        ts = t.length + below(l, 2) * below(l, 200);
        fs = f.length + below(l, 2) * below(l, 500);
    } while (ts * t.count > kPart || fs * f.count > kHalf);
    place_section(l, &to, d != kGet, 1, part, 0, ts * t.count);
    place_section(l, &from, d != kPut, 0, part, 0, fs * f.count);
    snprintf(l->text, sizeof l->text, "%zu * %zu at %zu to %zu * %zu at %zu", f.count, f.length, fs, t.count,
             t.length, ts);
    st = d != kGet ? shared_at(l, to.base) : upcr_null_shared;
    sf = d != kPut ? shared_at(l, from.base) : upcr_null_shared;
    pt = (char *)l->private + to.base.offset, pf = (char *)l->private + from.base.offset;
    switch (d * 2 + async) {
    case 0: bupc_memcpy_fstrided(st, t.length, ts, t.count, sf, f.length, fs, f.count); break;
    case 1: h = bupc_memcpy_fstrided_async(st, t.length, ts, t.count, sf, f.length, fs, f.count); break;
    case 2: bupc_memput_fstrided(st, t.length, ts, t.count, pf, f.length, fs, f.count); break;
    case 3: h = bupc_memput_fstrided_async(st, t.length, ts, t.count, pf, f.length, fs, f.count); break;
    case 4: bupc_memget_fstrided(pt, t.length, ts, t.count, sf, f.length, fs, f.count); break;
    default: h = bupc_memget_fstrided_async(pt, t.length, ts, t.count, sf, f.length, fs, f.count); break;
    }
    for (size_t k = 0; k < t.length * t.count; ++k)
        byte_pair(l, (place_t){to.base.space, to.base.offset + k / t.length * ts + k % t.length},
                  (place_t){from.base.space, from.base.offset + k / f.length * fs + k % f.length});
    return h;
}

/* Strides of a legal section; its size. */
static size_t some_strides(lanes_t *l, const size_t *count, unsigned levels, size_t *strides) {
    size_t extent = count[0];
    for (unsigned i = 0; i < levels; ++i) {
        if (count[i + 1] == 1 && below(l, 2)) {
            strides[i] = below(l, 2) * below(l, 1000000); /* never taken: anything */
            continue;
        }
        strides[i] = extent + below(l, 2) * below(l, kSlack);
        extent = strides[i] * count[i + 1];
    }
    return extent;
}

static upcr_handle_t strided(lanes_t *l, form_t form, direction_t d, int async, unsigned part) {
    size_t count[kDims], ts[kDims], fs[kDims], tsize, fsize, total;
    const unsigned levels = form == kStrided2d ? 1 : form == kStrided3d ? 2 : (unsigned)below(l, kDims);
    side_t to, from;
    upcr_handle_t h = UPCR_INVALID_HANDLE;
    upcr_shared_ptr_t st, sf;
    char *pt, *pf;
    do {
        total = count[0] = some_length(l);
        for (unsigned i = 1; i <= levels; ++i) total *= count[i] = below(l, 4) == 0 ? 1 : 1 + below(l, 14);
        tsize = some_strides(l, count, levels, ts), fsize = some_strides(l, count, levels, fs);
    } while (tsize > kPart || fsize > kHalf || total > kMost);
    place_section(l, &to, d != kGet, 1, part, 0, tsize);
    place_section(l, &from, d != kPut, 0, part, 0, fsize);
    to.stride[0] = from.stride[0] = 1;
    for (unsigned i = 0; i < levels; ++i)
        to.stride[i + 1] = (ptrdiff_t)ts[i], from.stride[i + 1] = (ptrdiff_t)fs[i];
    snprintf(l->text, sizeof l->text, "%u levels, rows of %zu, %zu bytes", levels, count[0], total);
    st = d != kGet ? shared_at(l, to.base) : upcr_null_shared;
    sf = d != kPut ? shared_at(l, from.base) : upcr_null_shared;
    pt = (char *)l->private + to.base.offset, pf = (char *)l->private + from.base.offset;
    switch ((form - kStrided) * 6 + d * 2 + async) {
    case 0: bupc_memcpy_strided(st, ts, sf, fs, count, levels); break;
    case 1: h = bupc_memcpy_strided_async(st, ts, sf, fs, count, levels); break;
    case 2: bupc_memput_strided(st, ts, pf, fs, count, levels); break;
    case 3: h = bupc_memput_strided_async(st, ts, pf, fs, count, levels); break;
    case 4: bupc_memget_strided(pt, ts, sf, fs, count, levels); break;
    case 5: h = bupc_memget_strided_async(pt, ts, sf, fs, count, levels); break;
    case 6: bupc_memcpy_strided2d(st, ts[0], sf, fs[0], count[0], count[1]); break;
    case 7: h = bupc_memcpy_strided2d_async(st, ts[0], sf, fs[0], count[0], count[1]); break;
    case 8: bupc_memput_strided2d(st, ts[0], pf, fs[0], count[0], count[1]); break;
    case 9: h = bupc_memput_strided2d_async(st, ts[0], pf, fs[0], count[0], count[1]); break;
    case 10: bupc_memget_strided2d(pt, ts[0], sf, fs[0], count[0], count[1]); break;
    case 11: h = bupc_memget_strided2d_async(pt, ts[0], sf, fs[0], count[0], count[1]); break;
    case 12: bupc_memcpy_strided3d(st, ts[0], ts[1], sf, fs[0], fs[1], count[0], count[1], count[2]); break;
    case 13:
        h = bupc_memcpy_strided3d_async(st, ts[0], ts[1], sf, fs[0], fs[1], count[0], count[1], count[2]);
        break;
    case 14: bupc_memput_strided3d(st, ts[0], ts[1], pf, fs[0], fs[1], count[0], count[1], count[2]); break;
    case 15:
        h = bupc_memput_strided3d_async(st, ts[0], ts[1], pf, fs[0], fs[1], count[0], count[1], count[2]);
        break;
    case 16: bupc_memget_strided3d(pt, ts[0], ts[1], sf, fs[0], fs[1], count[0], count[1], count[2]); break;
    default:
        h = bupc_memget_strided3d_async(pt, ts[0], ts[1], sf, fs[0], fs[1], count[0], count[1], count[2]);
        break;
    }
    pair_sections(l, &to, &from, count, levels + 1);
    memset(count, 0xee, sizeof count), memset(ts, 0xee, sizeof ts), memset(fs, 0xee, sizeof fs);
    return h;
}

/* Strides in any order and direction. Returns the size; *low is what lies before the base. */
static size_t some_permuted_strides(lanes_t *l, const size_t *count, unsigned dims, int row, int repeats,
                                    ptrdiff_t *stride, size_t *low) {
    unsigned order[kDims];
    size_t extent = 1;
    *low = 0;
    for (unsigned i = 0; i < dims; ++i) order[i] = i;
    for (unsigned i = dims; i > 1; --i) {
        const unsigned k = row ? 1 + (unsigned)below(l, i - 1) : (unsigned)below(l, i);
        const unsigned o = order[k];
        order[k] = order[i - 1], order[i - 1] = o;
    }
    for (unsigned i = 0; i < dims; ++i) {
        const unsigned dim = order[i];
        const size_t step = extent + (i > 0 || !row ? below(l, 2) * below(l, 9) : 0);
        if (repeats && i > 0 && below(l, 4) == 0) {
            stride[dim] = 0;
            continue;
        }
        stride[dim] = (ptrdiff_t)step;
        if (!(row && i == 0) && below(l, 3) == 0) {
            stride[dim] = -(ptrdiff_t)step;
            *low += step * (count[dim] - 1);
        }
        extent = step * count[dim];
    }
    return extent;
}

static upcr_handle_t transpose(lanes_t *l, direction_t d, int async, unsigned part) {
    size_t count[kDims], total, tsize, fsize, tlow, flow;
    unsigned dims;
    side_t to, from;
    upcr_handle_t h = UPCR_INVALID_HANDLE;
    upcr_shared_ptr_t st, sf;
    char *pt, *pf;
    do {
        const int row = below(l, 4) != 0;
        dims = 1 + (unsigned)below(l, kDims);
        total = count[0] = row ? some_length(l) : 1 + below(l, 20);
        for (unsigned i = 1; i < dims; ++i) total *= count[i] = 1 + below(l, 14);
        tsize = some_permuted_strides(l, count, dims, row, 0, to.stride, &tlow);
        fsize = some_permuted_strides(l, count, dims, row, 1, from.stride, &flow);
    } while (tsize > kPart || fsize > kHalf || total > kMost);
    place_section(l, &to, d != kGet, 1, part, tlow, tsize);
    place_section(l, &from, d != kPut, 0, part, flow, fsize);
    snprintf(l->text, sizeof l->text, "%u dimensions, strides[0] %td to %td, %zu bytes", dims, from.stride[0],
             to.stride[0], total);
    st = d != kGet ? shared_at(l, to.base) : upcr_null_shared;
    sf = d != kPut ? shared_at(l, from.base) : upcr_null_shared;
    pt = (char *)l->private + to.base.offset, pf = (char *)l->private + from.base.offset;
    switch (d * 2 + async) {
    case 0: bupc_memcpy_transpose(st, to.stride, sf, from.stride, count, dims - 1); break;
    case 1: h = bupc_memcpy_transpose_async(st, to.stride, sf, from.stride, count, dims - 1); break;
    case 2: bupc_memput_transpose(st, to.stride, pf, from.stride, count, dims - 1); break;
    case 3: h = bupc_memput_transpose_async(st, to.stride, pf, from.stride, count, dims - 1); break;
    case 4: bupc_memget_transpose(pt, to.stride, sf, from.stride, count, dims - 1); break;
    default: h = bupc_memget_transpose_async(pt, to.stride, sf, from.stride, count, dims - 1); break;
    }
    pair_sections(l, &to, &from, count, dims);
    return h;
}

/* ---- The test ---- */

static upcr_handle_t start(lanes_t *l, form_t form, direction_t d, int async, unsigned part) {
    l->bytes = 0;
    switch (form) {
    case kVlist: return vlist(l, d, async, part);
    case kIlist: return ilist(l, d, async, part);
    case kFstrided: return fstrided(l, d, async, part);
    case kTranspose: return transpose(l, d, async, part);
    default: return strided(l, form, d, async, part);
    }
}

static void fresh_sources(lanes_t *l) {
    for (unsigned s = 0; s <= l->threads; ++s) {
        unsigned char *half = l->model[s] + kHalf;
        for (size_t i = 0; i < kHalf; i += 8) {
            const uint64_t r = spmd_random(&l->random);
            memcpy(half + i, &r, 8);
        }
        if (s < l->threads)
            upcr_memput(shared_at(l, (place_t){s, kHalf}), half, kHalf);
        else
            memcpy(l->private + kHalf, half, kHalf);
    }
}

static void check(lanes_t *l, size_t from, size_t to, const char *what) {
    static _Thread_local unsigned char got[kLane];
    for (unsigned s = 0; s <= l->threads; ++s) {
        const unsigned char *there = l->private + from;
        if (s < l->threads) {
            upcr_memget(got, shared_at(l, (place_t){s, from}), to - from);
            there = got;
        }
        for (size_t i = 0; i < to - from; ++i)
            if (there[i] != l->model[s][from + i])
                SPMD_FAIL("seed %llu, batch %u (%s): byte %zu of %s %u is %02x, not %02x",
                          (unsigned long long)l->seed, l->batch, what, from + i,
                          s < l->threads ? "the lane of thread" : "private memory", s, there[i],
                          l->model[s][from + i]);
    }
}

static void one_batch(lanes_t *l) {
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

static void run(void) {
    lanes_t *l = calloc(1, sizeof *l);
    const char *seed = getenv("SPMD_SEED");
    l->all = spmd_alloc((size_t)kLane * upcr_threads());
    l->threads = upcr_threads(), l->me = upcr_mythread();
    l->seed = seed != NULL ? strtoull(seed, NULL, 10) : 20070322;
    l->random = l->seed * 1000 + l->me;
    l->private = calloc(1, kLane);
    l->to = malloc((kPart + 1) * sizeof *l->to), l->from = malloc((kPart + 1) * sizeof *l->from);
    for (l->batch = 0; l->batch < spmd_effort(420); ++l->batch) one_batch(l);
    check(l, kHalf, kLane, "the sources");
    spmd_barrier();
    free(l->to), free(l->from), free(l->private), free(l);
    large();
}

SPMD_MAIN(run)
