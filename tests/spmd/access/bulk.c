/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bulk copies and fills of random shapes against a model: every thread has a stripe in every thread's
 * memory that only it writes, and keeps a private model of all its stripes.
 */
#include "tests/spmd/spmd.h"

enum { kSlots = 16, kSlotBytes = 24 << 10, kStripe = kSlots * kSlotBytes };

static upcr_shared_ptr_t area; /* of each thread: a stripe for each writer */

struct job {
    uint64_t random;
    unsigned char *model;  /* [owner][kStripe] */
    unsigned char *source; /* kSlots private slots: sources of puts, unchanged until synchronised */
    unsigned char *got;
};

static upcr_shared_ptr_t stripe(upcr_thread_t owner, size_t byte) {
    return spmd_part(area, owner, (size_t)upcr_mythread() * kStripe + byte);
}
static unsigned char *model_at(struct job *j, upcr_thread_t owner, size_t byte) {
    return j->model + (size_t)owner * kStripe + byte;
}
static upcr_thread_t anyone(struct job *j) { return (upcr_thread_t)spmd_below(&j->random, upcr_threads()); }

/* Sizes of every magnitude, 0 too. */
static size_t any_size(struct job *j, size_t limit) {
    const size_t magnitude = (size_t)1 << spmd_below(&j->random, 16);
    const size_t n = spmd_below(&j->random, 2 * magnitude + 1);
    return n < limit ? n : limit;
}
static void fill_randomly(struct job *j, unsigned char *p, size_t n) {
    uint64_t bits = spmd_random(&j->random);
    for (size_t i = 0; i < n; ++i) p[i] = (unsigned char)(bits >> (i % 8 * 8)) ^ (unsigned char)(i / 8);
}

static void compare(struct job *j, upcr_thread_t owner, size_t byte, size_t n) {
    upcr_memget(j->got, stripe(owner, byte), n);
    if (memcmp(j->got, model_at(j, owner, byte), n) != 0) {
        size_t i = 0;
        while (j->got[i] == *model_at(j, owner, byte + i)) ++i;
        SPMD_FAIL("byte %zu of my stripe on thread %u is %02x, not %02x", byte + i, owner, j->got[i],
                  *model_at(j, owner, byte + i));
    }
}

/* One blocking operation anywhere in the stripes. */
static void one_blocking(struct job *j) {
    const upcr_thread_t to = anyone(j), from = anyone(j);
    const size_t n = any_size(j, kStripe / 4), half = kStripe / 2;
    const size_t dst = spmd_below(&j->random, half - n + 1),
                 src = half + spmd_below(&j->random, half - n + 1);
    switch (spmd_below(&j->random, 4)) {
    case 0:
        fill_randomly(j, model_at(j, to, dst), n);
        upcr_memput(stripe(to, dst), model_at(j, to, dst), n);
        break;
    case 1: compare(j, to, dst, n); break;
    case 2:
        upcr_memcpy(stripe(to, dst), stripe(from, src), n);
        memcpy(model_at(j, to, dst), model_at(j, from, src), n);
        break;
    default: {
        const int c = (int)spmd_below(&j->random, 1000) - 500; /* only its low byte counts */
        upcr_memset(stripe(to, dst), c, n);
        memset(model_at(j, to, dst), c, n);
        break;
    }
    }
    compare(j, to, dst, n);
}

enum { kExplicit, kImplicit, kUpc13 };

/* One operation per slot, so that operations in flight do not overlap. `way`: how it is issued. */
static upcr_handle_t start_one(struct job *j, int way, upcr_thread_t to, size_t slot) {
    const size_t n = any_size(j, kSlotBytes / 2),
                 dst = slot * kSlotBytes + spmd_below(&j->random, kSlotBytes / 2);
    const size_t src = ((slot ^ 1) * kSlotBytes) + spmd_below(&j->random, kSlotBytes / 2);
    unsigned char *const mine = j->source + slot * kSlotBytes;
    const upcr_thread_t from = anyone(j);
    upcr_handle_t h = UPCR_INVALID_HANDLE;
    if (spmd_below(&j->random, 3) == 0) {
        const int c = (int)spmd_below(&j->random, 256);
        if (way == kExplicit) h = upcr_nb_memset(stripe(to, dst), c, n);
        if (way == kImplicit) upcr_nbi_memset(stripe(to, dst), c, n);
        if (way == kUpc13) h = upcr_memset_nb(stripe(to, dst), c, n);
        memset(model_at(j, to, dst), c, n);
    } else if (slot % 2 == 0 &&
               spmd_below(&j->random, 2) == 0) { /* from an odd slot, which is not written now */
        if (way == kExplicit) h = upcr_nb_memcpy(stripe(to, dst), stripe(from, src), n);
        if (way == kImplicit) upcr_nbi_memcpy(stripe(to, dst), stripe(from, src), n);
        if (way == kUpc13) h = upcr_memcpy_nb(stripe(to, dst), stripe(from, src), n);
        memcpy(model_at(j, to, dst), model_at(j, from, src), n);
    } else {
        fill_randomly(j, mine, n);
        if (way == kExplicit) h = upcr_nb_memput(stripe(to, dst), mine, n);
        if (way == kImplicit) upcr_nbi_memput(stripe(to, dst), mine, n);
        if (way == kUpc13) h = upcr_memput_nb(stripe(to, dst), mine, n);
        memcpy(model_at(j, to, dst), mine, n);
    }
    return h;
}

static void many_at_once(struct job *j, int way) {
    upcr_handle_t h[kSlots];
    size_t count = 0;
    for (size_t slot = 0; slot < kSlots; slot += 2) h[count++] = start_one(j, way, anyone(j), slot);
    switch (way) {
    case kExplicit: upcr_wait_syncnb_all(h, count); break;
    case kImplicit: upcr_wait_syncnbi_all(); break;
    default:
        for (size_t i = 0; i < count; ++i) {
            if (i % 2 == 0) upcr_waitsync(h[i]);
            if (i % 2 == 1)
                while (!upcr_trysync(h[i])) continue;
        }
    }
    /* And gets, all in flight together. */
    const upcr_thread_t from = anyone(j);
    count = 0;
    for (size_t slot = 0; slot < kSlots; ++slot) {
        unsigned char *const dst = j->got + slot * kSlotBytes;
        const upcr_shared_ptr_t src = stripe(from, slot * kSlotBytes);
        if (way == kExplicit) h[count++] = upcr_nb_memget(dst, src, kSlotBytes);
        if (way == kImplicit) upcr_nbi_memget(dst, src, kSlotBytes);
        if (way == kUpc13) h[count++] = upcr_memget_nb(dst, src, kSlotBytes);
    }
    if (way == kImplicit)
        upcr_wait_syncnbi_gets();
    else
        upcr_wait_syncnb_all(h, count);
    SPMD_CHECK(memcmp(j->got, model_at(j, from, 0), kStripe) == 0);
}

/* More bytes than a copy through this process buffers. */
static void large(struct job *j) {
    const upcr_thread_t to = anyone(j), from = anyone(j);
    const size_t n = kStripe / 2 - 5;
    fill_randomly(j, model_at(j, from, kStripe / 2), kStripe / 2);
    upcr_memput(stripe(from, kStripe / 2), model_at(j, from, kStripe / 2), kStripe / 2);
    upcr_memcpy(stripe(to, 3), stripe(from, kStripe / 2 + 5), n);
    memcpy(model_at(j, to, 3), model_at(j, from, kStripe / 2 + 5), n);
    compare(j, to, 0, kStripe);
    upcr_memset(stripe(to, 1), 0x5a, n);
    memset(model_at(j, to, 1), 0x5a, n);
    compare(j, to, 0, kStripe);
}

static void run(void) {
    const size_t all = (size_t)upcr_threads() * kStripe;
    const upcr_shared_ptr_t p = spmd_alloc(all);
    struct job j = {1000 + upcr_mythread(), (unsigned char *)calloc(all, 1), (unsigned char *)malloc(kStripe),
                    (unsigned char *)malloc(kStripe)};
    const uint64_t rounds = spmd_effort(60);
    if (upcri_mypthread() == 0) area = p;
    spmd_barrier();
    for (uint64_t round = 0; round < rounds; ++round) {
        for (int i = 0; i < 20; ++i) one_blocking(&j);
        many_at_once(&j, (int)(round % 3));
    }
    large(&j);
    for (upcr_thread_t owner = 0; owner < upcr_threads(); ++owner) compare(&j, owner, 0, kStripe);
    spmd_barrier();
    free(j.got);
    free(j.source);
    free(j.model);
}

SPMD_MAIN(run)
