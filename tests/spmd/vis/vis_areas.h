/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the files of the test of non-contiguous copies: each UPC thread's areas, the serial model of them,
 * and one function for each form of copy. vis.c is the test.
 */
#pragma once
#include "tests/spmd/spmd.h"

enum {
    kHalf = 32768,
    kArea = 2 * kHalf,
    kFlight = 4,
    kPart = kHalf / kFlight,
    kMaxBytes = 6000,
    kEntries = 70
};
enum { kSlack = 17, kSpaces = 6 };
typedef enum { kVlist, kIlist, kFstrided, kStrided, kStrided2d, kStrided3d, kTranspose, kForms } form_t;
typedef enum { kCpy, kPut, kGet, kDirections } direction_t;

/* A location: in a thread's area, or in the private memory, whose number follows the threads'. */
typedef struct {
    unsigned space;
    size_t offset;
} location_t;

typedef struct {
    uint64_t random;
    upcr_shared_ptr_t all;
    unsigned threads, me;
    unsigned char *private;              /* kArea bytes */
    unsigned char model[kSpaces][kArea]; /* the expected contents */
    uint64_t seed;
    unsigned batch;
    location_t *to, *from; /* of each byte of an operation */
    size_t bytes;
    char text[200]; /* describes the last operation */
} areas_t;

static inline upcr_shared_ptr_t shared_at(const areas_t *l, location_t p) {
    return spmd_part(l->all, p.space, (size_t)l->me * kArea + p.offset);
}
static inline size_t below(areas_t *l, size_t limit) { return (size_t)spmd_below(&l->random, limit); }

static inline unsigned some_space(areas_t *l, int shared) {
    return shared ? (unsigned)below(l, l->threads) : l->threads;
}

static inline void byte_pair(areas_t *l, location_t to, location_t from) {
    l->to[l->bytes] = to;
    l->from[l->bytes++] = from;
}

static inline size_t some_length(areas_t *l) {
    static const size_t lengths[] = {1, 2, 4, 8, 16, 32, 64, 3, 5, 7, 9, 12, 17, 24, 40, 48, 63, 65, 80, 100};
    return lengths[below(l, sizeof lengths / sizeof *lengths)];
}

/* Two lengths and counts with one product: (unit * a, b * m) and (unit * b, a * m). */
typedef struct {
    size_t length, count;
} chunks_t;
static inline void some_chunks(areas_t *l, chunks_t *to, chunks_t *from) {
    size_t a, b, m, unit;
    do {
        unit = some_length(l);
        a = below(l, 2) ? 1 : 1 + below(l, 12);
        b = below(l, 2) ? 1 : 1 + below(l, 12);
        m = 1 + below(l, kEntries);
    } while (a * m > kEntries || b * m > kEntries || unit * a * b * m > kMaxBytes);
    to->length = unit * a, to->count = b * m;
    from->length = unit * b, from->count = a * m;
}

/*
 * Each starts an operation of random shape in direction `d`, with or without a handle, whose destination is
 * in part `part` of the areas; lists in l->to and l->from what becomes of each byte, and describes it in
 * l->text. In vis_lists.c and vis_sections.c.
 */
upcr_handle_t vis_vlist(areas_t *l, direction_t d, int async, unsigned part);
upcr_handle_t vis_ilist(areas_t *l, direction_t d, int async, unsigned part);
upcr_handle_t vis_fstrided(areas_t *l, direction_t d, int async, unsigned part);
upcr_handle_t vis_strided(areas_t *l, form_t form, direction_t d, int async, unsigned part);
upcr_handle_t vis_transpose(areas_t *l, direction_t d, int async, unsigned part);
