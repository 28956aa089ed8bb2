/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of sections of arrays, for the test of non-contiguous copies (vis_areas.h). */
#include "tests/spmd/vis/vis_areas.h"

enum { kDims = 6 };
typedef struct {
    location_t base;
    ptrdiff_t stride[kDims]; /* of each dimension, the bytes of a row included */
} side_t;

static void pair_sections(areas_t *l, const side_t *to, const side_t *from, const size_t *count,
                          unsigned dims) {
    size_t index[kDims] = {0};
    for (;;) {
        location_t t = to->base, f = from->base;
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

/* Chooses a location for a section that begins `low` bytes before its base and is `size` bytes long. */
static void place_section(areas_t *l, side_t *s, int shared, int destination, unsigned part, size_t low,
                          size_t size) {
    const size_t room = destination ? kPart : kHalf, start = destination ? (size_t)part * kPart : kHalf;
    s->base.space = some_space(l, shared);
    s->base.offset = start + low + below(l, room - size + 1);
}

upcr_handle_t vis_fstrided(areas_t *l, direction_t d, int async, unsigned part) {
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
        byte_pair(l, (location_t){to.base.space, to.base.offset + k / t.length * ts + k % t.length},
                  (location_t){from.base.space, from.base.offset + k / f.length * fs + k % f.length});
    return h;
}

/* Strides of a legal section; its size. */
static size_t some_strides(areas_t *l, const size_t *count, unsigned levels, size_t *strides) {
    size_t extent = count[0];
    for (unsigned i = 0; i < levels; ++i) {
        if (count[i + 1] == 1 && below(l, 2)) {
            strides[i] = below(l, 2) * below(l, 1000000); /* never used: anything */
            continue;
        }
        strides[i] = extent + below(l, 2) * below(l, kSlack);
        extent = strides[i] * count[i + 1];
    }
    return extent;
}

upcr_handle_t vis_strided(areas_t *l, form_t form, direction_t d, int async, unsigned part) {
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
    } while (tsize > kPart || fsize > kHalf || total > kMaxBytes);
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

/* Strides in any order and direction. Returns the size; *low: the bytes before the base. */
static size_t some_permuted_strides(areas_t *l, const size_t *count, unsigned dims, int row, int repeats,
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

upcr_handle_t vis_transpose(areas_t *l, direction_t d, int async, unsigned part) {
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
    } while (tsize > kPart || fsize > kHalf || total > kMaxBytes);
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
