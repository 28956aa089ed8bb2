/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of lists, of regions and of addresses, for the test of non-contiguous copies (vis_areas.h). */
#include "tests/spmd/vis/vis_areas.h"

typedef enum { kNoPhase, kOnePhase, kAnyPhase, kPhases } phase_t;
typedef struct {
    size_t count;
    phase_t phase; /* of its pointers, if they are shared */
    location_t place[kEntries];
    size_t length[kEntries];
} list_t;

/* Random locations for given lengths: those of the destination disjoint, in any order. */
static void place_list(areas_t *l, list_t *list, int shared, int destination, unsigned part) {
    size_t next[kSpaces] = {0};
    const unsigned only = some_space(l, shared);
    const int alone = below(l, 2) == 0; /* all in one space */
    list->phase = (phase_t)below(l, kPhases);
    for (size_t i = 0; i < list->count; ++i) {
        const unsigned space = alone ? only : some_space(l, shared);
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
        const location_t p = list->place[k];
        const size_t n = list->length[k];
        list->place[k] = list->place[i - 1], list->length[k] = list->length[i - 1];
        list->place[i - 1] = p, list->length[i - 1] = n;
    }
}
static void cut(areas_t *l, list_t *list, size_t total) {
    /* Some lists have one length. */
    if (below(l, 4) == 0) {
        list->count = 2 + below(l, kEntries - 2);
        while (total % list->count != 0) --list->count;
        for (size_t i = 0; i < list->count; ++i) list->length[i] = total / list->count;
        return;
    }
    /* Half of the lists have mostly one length. */
    const size_t alike = below(l, 2) ? 0 : some_length(l);
    list->count = 1 + below(l, 2) * below(l, kEntries - 2);
    for (size_t i = 0; i < list->count; ++i) list->length[i] = 0;
    for (size_t i = 0; i + 1 < list->count; ++i) { /* some stay 0 */
        list->length[i] = below(l, 4) == 0 ? 0 : below(l, 2 * total / list->count + 1);
        if (alike != 0 && below(l, 16) != 0) list->length[i] = alike;
        if (list->length[i] > total) list->length[i] = total;
        total -= list->length[i];
    }
    list->length[list->count - 1] = total;
}
static void pair_lists(areas_t *l, const list_t *to, const list_t *from) {
    size_t f = 0, at = 0;
    for (size_t i = 0; i < to->count; ++i)
        for (size_t k = 0; k < to->length[i]; ++k) {
            while (at == from->length[f]) ++f, at = 0;
            byte_pair(l, (location_t){to->place[i].space, to->place[i].offset + k},
                      (location_t){from->place[f].space, from->place[f].offset + at});
            ++at;
        }
}

/* An entry's pointer. Phases make no difference to a copy. */
static upcr_shared_ptr_t pointer_to(const areas_t *l, const list_t *list, size_t i) {
    const upcr_shared_ptr_t p = shared_at(l, list->place[i]);
    const upcr_phase_t phase = list->phase == kAnyPhase ? (upcr_phase_t)i % 5 : 3;
    return list->phase == kNoPhase ? p : upcri_with_phase(upcr_shared_to_pshared(p), phase);
}

/* The library's form of a list, in memory of its own, so that sanitizers report what is read beyond it. It is
 * overwritten and freed as soon as the call has returned. */
typedef union {
    void *memory;
    bupc_smemvec_t *smem;
    bupc_pmemvec_t *pmem;
    upcr_shared_ptr_t *shared;
    void **address;
} argument_t;
static void make(const list_t *list, size_t entry, argument_t *a) {
    a->memory = malloc(list->count * entry + (list->count == 0));
    if (a->memory == NULL) abort();
}
static void forget(const list_t *list, size_t entry, argument_t *a) {
    memset(a->memory, 0xee, list->count * entry);
    free(a->memory);
}
static void make_vector(const areas_t *l, const list_t *list, int shared, argument_t *a) {
    make(list, shared ? sizeof *a->smem : sizeof *a->pmem, a);
    for (size_t i = 0; i < list->count; ++i) {
        const int empty = list->length[i] == 0;
        if (shared) {
            a->smem[i].addr = empty ? upcr_null_shared : pointer_to(l, list, i);
            a->smem[i].len = list->length[i];
        } else {
            a->pmem[i].addr = empty ? NULL : l->private + list->place[i].offset;
            a->pmem[i].len = list->length[i];
        }
    }
}
static void make_addresses(const areas_t *l, const list_t *list, int shared, argument_t *a) {
    make(list, shared ? sizeof *a->shared : sizeof *a->address, a);
    for (size_t i = 0; i < list->count; ++i)
        if (shared)
            a->shared[i] = pointer_to(l, list, i);
        else
            a->address[i] = l->private + list->place[i].offset;
}

upcr_handle_t vis_vlist(areas_t *l, direction_t d, int async, unsigned part) {
    list_t to, from;
    argument_t t, f;
    upcr_handle_t h = UPCR_INVALID_HANDLE;
    const size_t total = below(l, 20) == 0 ? 0 : 1 + below(l, kMaxBytes);
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
    forget(&to, d != kGet ? sizeof *t.smem : sizeof *t.pmem, &t);
    forget(&from, d != kPut ? sizeof *f.smem : sizeof *f.pmem, &f);
    pair_lists(l, &to, &from);
    return h;
}

upcr_handle_t vis_ilist(areas_t *l, direction_t d, int async, unsigned part) {
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
    forget(&to, d != kGet ? sizeof *t.shared : sizeof *t.address, &t);
    forget(&from, d != kPut ? sizeof *f.shared : sizeof *f.address, &f);
    pair_lists(l, &to, &from);
    return h;
}
