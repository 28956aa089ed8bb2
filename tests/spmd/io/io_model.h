/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The serial model of io.c: the contents of the file and of all shared memory byte by byte, the file pointers, and
 * random requests with their effect on the model. It finds the elements of shared arrays by the pointer arithmetic of
 * the language.
 */
#pragma once
#include "tests/spmd/io/io_files.h"

enum {
    kPart = 200 << 10, /* of shared memory, per thread */
    kSlice = 24 << 10, /* of the file, that a thread writes with its own pointer */
    kFileMax = 4 << 20,
    kEntries = 6,
    kMaxThreads = 8,
};

struct entry { /* of a memory side: private when blocked is < 0 */
    long blocked;
    upcr_thread_t thread;
    size_t offset, phase, unit, bytes;
};
struct extent {
    size_t offset, bytes;
};
/* The request of one thread. */
struct request {
    int memories, extents;
    struct entry memory[kEntries];
    struct extent extent[kEntries];
    size_t bytes;
};

static __thread struct { /* of a UPC thread */
    uint64_t random, seed;
    upcr_shared_ptr_t area;
    unsigned char *shared; /* model: [thread][kPart] */
    unsigned char *file;   /* model */
    size_t size;
    size_t pointer[kMaxThreads]; /* [0] for the common one */
    int common, step;
    unsigned char *mine, *mine_model; /* private buffer */
    upcr_pshared_ptr_t fd;
    char name[512];
} g;

static uint64_t below(uint64_t limit) { return spmd_below(&g.random, limit); }
static size_t any_size(size_t limit) {
    const size_t n = below(((size_t)2 << below(17)) + 1);
    return n < limit ? n : limit;
}
#define WRONG(...)                                                                   \
    do {                                                                             \
        fprintf(stderr, "seed %llu, step %d\n", (unsigned long long)g.seed, g.step); \
        SPMD_FAIL(__VA_ARGS__);                                                      \
    } while (0)
#define SAME(got, want)                                                                              \
    do {                                                                                             \
        const long long same_g = (long long)(got), same_w = (long long)(want);                       \
        if (same_g != same_w) WRONG("%s is %lld, not %lld (errno %d)", #got, same_g, same_w, errno); \
    } while (0)

static upcr_shared_ptr_t pointer_to(const struct entry *e) {
    return upcri_make_shared(upcr_addrfield_shared(g.area) + e->offset, e->thread,
                             e->blocked > 1 ? (upcr_phase_t)e->phase : 0);
}

/* Calls of the model: where byte i of an entry is. */
static unsigned char *byte_of(const struct entry *e, size_t i, int mine) {
    static __thread unsigned char elsewhere;
    if (e->blocked < 0) return mine ? g.mine_model + e->offset + i : &elsewhere;
    upcr_shared_ptr_t p = pointer_to(e);
    if (e->blocked == 0)
        p = upcr_pshared_to_shared(upcr_add_psharedI(upcr_shared_to_pshared(p), 1, (ptrdiff_t)i));
    else if (e->blocked == 1)
        p = upcr_pshared_to_shared(
            upcr_add_pshared1(upcr_shared_to_pshared(p), e->unit, (ptrdiff_t)(i / e->unit)));
    else
        p = upcr_add_shared(p, e->unit, (ptrdiff_t)(i / e->unit), (size_t)e->blocked);
    const size_t within = e->blocked == 0 ? 0 : i % e->unit;
    return g.shared + upcr_threadof_shared(p) * (size_t)kPart +
           (upcr_addrfield_shared(p) - upcr_addrfield_shared(g.area)) + within;
}

/* Applies the request of one thread to the model; returns the bytes that it moves. */
static size_t apply(const struct request *r, int write, int mine) {
    size_t moved = 0, x = 0, in_extent = 0;
    for (int m = 0; m < r->memories; ++m) {
        for (size_t i = 0; i < r->memory[m].bytes; ++i) {
            while (in_extent == r->extent[x].bytes) ++x, in_extent = 0;
            const size_t at = r->extent[x].offset + in_extent++;
            unsigned char *const byte = byte_of(&r->memory[m], i, mine);
            if (write) {
                if (at >= kFileMax) WRONG("the test's file is too large");
                if (at >= g.size) g.size = at + 1;
                /* Another thread's private buffers hold what they held at the start (make_private). */
                g.file[at] =
                    r->memory[m].blocked < 0 && !mine ? (unsigned char)(r->memory[m].offset + i) : *byte;
            } else {
                if (at >= g.size) continue;
                *byte = g.file[at];
            }
            ++moved;
        }
    }
    return moved;
}

/* A range of at most `limit` bytes in the part [first, first + room) of every thread's memory. */
static struct entry shared_entry(size_t first, size_t room, size_t bytes, size_t unit) {
    struct entry e = {0, (upcr_thread_t)below(upcr_threads()), first, 0, unit, 0};
    switch (below(room >= 3 * (64 << 10) ? 6 : 4)) {
    case 4: /* blocks so large that each gets a system call; all of the array */
    case 5: e.blocked = (long)((64 << 10) / unit + 1 + below(200)), bytes = room * upcr_threads(); break;
    case 0: e.blocked = 0; break;
    case 1: e.blocked = 1; break;
    case 2: e.blocked = 2 + (long)below(30); break;
    default: e.blocked = 1 + (long)below(room / unit / 2); break;
    }
    const size_t block = (size_t)e.blocked * unit;
    if (e.blocked == 0) {
        e.offset += below(64);
        room -= 64;
        e.bytes = (bytes < room ? bytes : room) / unit * unit;
        return e;
    }
    if (e.blocked > 1) e.phase = below(2) && below(2) ? below((uint64_t)e.blocked) : 0;
    e.offset += e.phase * unit;
    /* Whole rows of blocks on all threads, minus the part before the start. */
    const size_t rows = room / block;
    size_t most = rows * block * upcr_threads() - (e.thread * block + e.phase * unit);
    if (rows == 0) most = 0;
    e.bytes = (bytes < most ? bytes : most) / unit * unit;
    return e;
}

static void fill_requests(struct request *all, int shared, int write, size_t limit, size_t unit) {
    for (upcr_thread_t t = 0; t < upcr_threads(); ++t) {
        struct request *const r = &all[t];
        memset(r, 0, sizeof *r);
        r->memories = r->extents = 1;
        const size_t stripe = kPart / upcr_threads() / 64 * 64;
        size_t bytes = any_size(limit) / unit * unit;
        if (write && g.pointer[t] + bytes > (t + 1) * (size_t)kSlice)
            bytes = g.pointer[t] >= (t + 1) * (size_t)kSlice
                        ? 0
                        : ((t + 1) * (size_t)kSlice - g.pointer[t]) / unit * unit;
        if (write && g.pointer[t] < t * (size_t)kSlice) bytes = 0;
        if (shared)
            r->memory[0] = shared_entry(t * stripe, stripe, bytes, unit);
        else
            r->memory[0] = (struct entry){-1, 0, below(100), 0, 1, bytes};
        r->bytes = r->memory[0].bytes;
        r->extent[0] = (struct extent){g.pointer[t], r->bytes};
    }
}

/* Lists of different shape for memory and file; writes stay in the thread's slice, in pieces. */
static void fill_lists(struct request *all, int shared, int write) {
    for (upcr_thread_t t = 0; t < upcr_threads(); ++t) {
        struct request *const r = &all[t];
        memset(r, 0, sizeof *r);
        r->memories = (int)below(kEntries + 1);
        const size_t stripe = kPart / upcr_threads() / 64 * 64, room = stripe / kEntries / 64 * 64;
        for (int m = 0; m < r->memories; ++m) {
            const size_t bytes = below(8) == 0 ? 0 : any_size(3000);
            if (shared)
                r->memory[m] = shared_entry(t * stripe + (size_t)m * room, room, bytes, 1);
            else
                r->memory[m] = (struct entry){-1, 0, (size_t)m * 4000 + below(50), 0, 1, bytes};
            r->bytes += r->memory[m].bytes;
        }
        size_t left = r->bytes;
        const int most = left == 0 ? 2 : kEntries;
        size_t at = t * (size_t)kSlice;
        for (int x = 0; x < most && (left != 0 || x < 1); ++x, ++r->extents) {
            const size_t bytes = x == most - 1 ? left : below(left + 1);
            if (write)
                at += below(500);
            else
                at = below(g.size + 3000);
            r->extent[x] = (struct extent){at, bytes};
            at += bytes;
            left -= bytes;
        }
        if (left != 0) WRONG("the test's list is too short");
        if (write && r->extents > 1 && below(2)) { /* not in ascending order */
            const struct extent first = r->extent[0];
            r->extent[0] = r->extent[r->extents - 1];
            r->extent[r->extents - 1] = first;
        }
    }
}
