/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asynchronous bulk operations under all their names, against a model: every thread has a stripe in every
 * thread's memory that only it writes, in two halves. A batch reads one half and writes the other, each slot
 * once, so that its operations may end in any order; most copies are between two other threads.
 */
#define BUPC_USE_UPC_NAMESPACE
#include "tests/spmd/spmd.h"

enum { kSlots = 24, kSlotBytes = 4096, kHalf = kSlots * kSlotBytes, kStripe = 2 * kHalf };

static upcr_shared_ptr_t area; /* of each thread: a stripe for each writer */
static uint64_t seed;

struct job {
    uint64_t random;
    unsigned char *model; /* [owner][kStripe] */
    unsigned char *source, *got;
};

static upcr_shared_ptr_t stripe(upcr_thread_t owner, size_t byte) {
    return spmd_part(area, owner, (size_t)upcr_mythread() * kStripe + byte);
}
static unsigned char *model_at(struct job *j, upcr_thread_t owner, size_t byte) {
    return j->model + (size_t)owner * kStripe + byte;
}
static upcr_thread_t anyone(struct job *j) { return (upcr_thread_t)spmd_below(&j->random, upcr_threads()); }

static void compare(struct job *j, upcr_thread_t owner) {
    upcr_memget(j->got, stripe(owner, 0), kStripe);
    for (size_t i = 0; i < kStripe; ++i)
        if (j->got[i] != *model_at(j, owner, i))
            SPMD_FAIL("seed %llu: byte %zu of my stripe on thread %u is %02x, not %02x",
                      (unsigned long long)seed, i, owner, j->got[i], *model_at(j, owner, i));
}

enum way { kBupc, kBupcImplicit, kUpc, kUpcImplicit, kBupcRegion, kUpcNamespace, kWays };

/* Starts one operation that writes [dst, + n) of my stripe on `to`, or reads [src, + n) of the one on `from`.
 * The null handle for implicit ones. */
static upc_handle_t start_copy(enum way way, upcr_shared_ptr_t to, upcr_shared_ptr_t from, size_t n) {
    upc_handle_t h = UPC_COMPLETE_HANDLE;
    switch (way) {
    case kBupc: h = bupc_memcpy_async(to, from, n); break;
    case kUpc: h = upc_memcpy_nb(to, from, n); break;
    case kUpcNamespace: h = upc_memcpy_async(to, from, n); break;
    case kUpcImplicit: upc_memcpy_nbi(to, from, n); break;
    default: bupc_memcpy_asynci(to, from, n); break;
    }
    return h;
}
static upc_handle_t start_put(enum way way, upcr_shared_ptr_t to, const void *from, size_t n) {
    upc_handle_t h = UPC_COMPLETE_HANDLE;
    switch (way) {
    case kBupc: h = bupc_memput_async(to, from, n); break;
    case kUpc: h = upc_memput_nb(to, from, n); break;
    case kUpcNamespace: h = upc_memput_async(to, from, n); break;
    case kUpcImplicit: upc_memput_nbi(to, from, n); break;
    default: bupc_memput_asynci(to, from, n); break;
    }
    return h;
}
static upc_handle_t start_get(enum way way, void *to, upcr_shared_ptr_t from, size_t n) {
    upc_handle_t h = UPC_COMPLETE_HANDLE;
    switch (way) {
    case kBupc: h = bupc_memget_async(to, from, n); break;
    case kUpc: h = upc_memget_nb(to, from, n); break;
    case kUpcNamespace: h = upc_memget_async(to, from, n); break;
    case kUpcImplicit: upc_memget_nbi(to, from, n); break;
    default: bupc_memget_asynci(to, from, n); break;
    }
    return h;
}
static upc_handle_t start_set(enum way way, upcr_shared_ptr_t to, int c, size_t n) {
    upc_handle_t h = UPC_COMPLETE_HANDLE;
    switch (way) {
    case kBupc: h = bupc_memset_async(to, c, n); break;
    case kUpc: h = upc_memset_nb(to, c, n); break;
    case kUpcNamespace: h = upc_memset_async(to, c, n); break;
    case kUpcImplicit: upc_memset_nbi(to, c, n); break;
    default: bupc_memset_asynci(to, c, n); break;
    }
    return h;
}

static size_t live(const upc_handle_t *h, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) count += h[i] != BUPC_COMPLETE_HANDLE;
    return count;
}

static void sync_explicit(enum way way, upc_handle_t *h, size_t n, unsigned how) {
    if (way == kUpc) {
        for (size_t i = 0; i < n; ++i) {
            if (how % 2 == 0)
                upc_sync(h[i]);
            else
                while (!upc_sync_attempt(h[i])) continue;
        }
        return;
    }
    switch (how % 6) {
    case 0:
        for (size_t i = n; i-- > 0;) way == kUpcNamespace ? upc_waitsync(h[i]) : bupc_waitsync(h[i]);
        return;
    case 1:
        for (size_t i = 0; i < n; ++i)
            while (!(way == kUpcNamespace ? upc_trysync(h[i]) : bupc_trysync(h[i]))) continue;
        return;
    case 2: way == kUpcNamespace ? upc_waitsync_all(h, n) : bupc_waitsync_all(h, n); break;
    case 3:
        while (!(way == kUpcNamespace ? upc_trysync_all(h, n) : bupc_trysync_all(h, n)))
            SPMD_CHECK(live(h, n) != 0);
        break;
    case 4:
        for (size_t before; (before = live(h, n)) != 0;) {
            way == kUpcNamespace ? upc_waitsync_some(h, n) : bupc_waitsync_some(h, n);
            SPMD_CHECK(live(h, n) < before);
        }
        bupc_waitsync_some(h, n);
        break;
    default:
        for (size_t before; (before = live(h, n)) != 0;)
            if (way == kUpcNamespace ? upc_trysync_some(h, n) : bupc_trysync_some(h, n))
                SPMD_CHECK(live(h, n) < before);
            else
                SPMD_EQ(live(h, n), before);
        SPMD_CHECK(bupc_trysync_some(h, n) == 1);
        break;
    }
    SPMD_EQ(live(h, n), 0); /* completed entries have been overwritten */
}

static void sync_implicit(enum way way, unsigned how) {
    switch (how % 2 + (way == kUpcImplicit ? 2 : 0)) {
    case 0: bupc_waitsynci(); break;
    case 1:
        while (!upc_trysynci()) continue;
        break;
    case 2: upc_synci(); break;
    default:
        while (!upc_synci_attempt()) continue;
        break;
    }
}

static void batch(struct job *j, enum way way, size_t to_half) {
    upc_handle_t h[2 * kSlots];
    size_t gets[kSlots][3]; /* owner, first byte, bytes */
    size_t count = 0, got = 0;
    const unsigned how = (unsigned)spmd_below(&j->random, 6);
    if (way == kBupcRegion) upc_begin_accessregion();
    for (size_t slot = 0; slot < kSlots; ++slot) {
        const size_t n = spmd_below(&j->random, kSlotBytes / 2), dst = to_half + slot * kSlotBytes + n / 3,
                     src = (kHalf - to_half) + spmd_below(&j->random, kHalf - n);
        const upcr_thread_t to = anyone(j), from = anyone(j);
        switch (spmd_below(&j->random, 6)) {
        case 0: {
            unsigned char *const mine = j->source + slot * kSlotBytes;
            for (size_t i = 0; i < n; ++i) mine[i] = (unsigned char)spmd_random(&j->random);
            h[count++] = start_put(way, stripe(to, dst), mine, n);
            memcpy(model_at(j, to, dst), mine, n);
            break;
        }
        case 1: {
            const int c = (int)spmd_below(&j->random, 1000) - 500; /* its low byte counts */
            h[count++] = start_set(way, stripe(to, dst), c, n);
            memset(model_at(j, to, dst), c, n);
            break;
        }
        case 2:
            gets[got][0] = from, gets[got][1] = src, gets[got][2] = n;
            h[count++] = start_get(way, j->got + got * kSlotBytes, stripe(from, src), n);
            ++got;
            break;
        default:
            h[count++] = start_copy(way, stripe(to, dst), stripe(from, src), n);
            memcpy(model_at(j, to, dst), model_at(j, from, src), n);
            break;
        }
    }
    if (way == kBupcRegion) {
        h[0] = upc_end_accessregion();
        sync_explicit(way, h, 1, how);
    } else if (way == kBupcImplicit || way == kUpcImplicit) {
        SPMD_EQ(live(h, count), 0);
        sync_implicit(way, how);
    } else {
        sync_explicit(way, h, count, how);
    }
    for (size_t i = 0; i < got; ++i)
        SPMD_CHECK(memcmp(j->got + i * kSlotBytes, model_at(j, (upcr_thread_t)gets[i][0], gets[i][1]),
                          gets[i][2]) == 0);
}

/* Very many operations in flight: bytes from, to and between the next two threads. */
static void very_many(void) {
    const size_t count = spmd_effort(200000);
    const upcr_thread_t me = upcr_mythread(), a = (me + 1) % upcr_threads(), b = (me + 2) % upcr_threads();
    unsigned char *const mine = (unsigned char *)malloc(count), *const got =
                                                                    (unsigned char *)calloc(count, 1);
    const upcr_shared_ptr_t p = spmd_alloc(4 * count);
    upc_handle_t *const h = (upc_handle_t *)calloc(2 * count, sizeof *h);
    SPMD_CHECK(UPC_MAX_ASYNC_INFLIGHT >= 65535);
    for (size_t i = 0; i < count; ++i) mine[i] = (unsigned char)(i * 7 + me);
    for (size_t i = 0; i < count; ++i) h[i] = bupc_memput_async(spmd_part(p, a, i), mine + i, 1);
    bupc_waitsync_all(h, count);
    spmd_barrier();
    for (size_t i = 0; i < count; ++i) {
        h[2 * i] = bupc_memget_async(got + i, spmd_part(p, a, i), 1);
        h[2 * i + 1] = i % 16 == 0 ? bupc_memcpy_async(spmd_part(p, b, count + i), spmd_part(p, a, i), 1)
                                   : bupc_memset_async(spmd_part(p, b, count + i), mine[i], 1);
    }
    bupc_waitsync_all(h, 2 * count);
    SPMD_CHECK(memcmp(got, mine, count) == 0);
    upcr_memget(got, spmd_part(p, b, count), count);
    SPMD_CHECK(memcmp(got, mine, count) == 0);
    for (size_t i = 0; i < count; ++i) {
        bupc_memput_asynci(spmd_part(p, a, 2 * count + i), mine + i, 1);
        bupc_memset_asynci(spmd_part(p, b, 3 * count + i), mine[i], 1);
    }
    bupc_waitsynci();
    for (size_t i = 0; i < count; ++i)
        bupc_memget_asynci(got + i, spmd_part(p, i % 2 ? a : b, (2 + (i + 1) % 2) * count + i), 1);
    while (!bupc_trysynci()) continue;
    SPMD_CHECK(memcmp(got, mine, count) == 0);
    spmd_barrier();
    upcr_all_free(p);
    free(h);
    free(got);
    free(mine);
}

/* All threads start many large copies between their next two threads: more than a process accepts at a time,
 * and of more than one piece. */
static void large(void) {
    enum { kCopies = 40, kBytes = 150001 };
    const upcr_thread_t me = upcr_mythread(), a = (me + 1) % upcr_threads(), b = (me + 2) % upcr_threads();
    const size_t copies = spmd_effort(kCopies);
    const upcr_shared_ptr_t from = spmd_alloc(kBytes), to = spmd_alloc(kCopies * kBytes);
    unsigned char *const want = (unsigned char *)malloc(kBytes), *const got = (unsigned char *)malloc(kBytes);
    upc_handle_t h[kCopies];
    uint64_t random = a + 1;
    for (size_t i = 0; i < kBytes; ++i) want[i] = (unsigned char)spmd_random(&random);
    upcr_memput(spmd_part(from, a, 0), want, kBytes);
    spmd_barrier();
    for (size_t i = 0; i < copies; ++i)
        h[i] = bupc_memcpy_async(spmd_part(to, b, i * kBytes), spmd_part(from, a, i % 8), kBytes - i % 8);
    bupc_waitsync_all(h, copies);
    for (size_t i = 0; i < copies; ++i) {
        upcr_memget(got, spmd_part(to, b, i * kBytes), kBytes - i % 8);
        SPMD_CHECK(memcmp(got, want + i % 8, kBytes - i % 8) == 0);
    }
    upcr_memset(spmd_part(to, b, 1), 77, copies * kBytes - 2); /* a fill of several pieces, in bounds */
    for (size_t i = 0; i < copies; ++i) {
        upcr_memget(got, spmd_part(to, b, i * kBytes), kBytes);
        for (size_t byte = 0; byte < kBytes; ++byte) {
            const int edge = (i == 0 && byte == 0) || (i == copies - 1 && byte == kBytes - 1);
            if (!edge && got[byte] != 77)
                SPMD_FAIL("byte %zu of part %zu is %d after a fill", byte, i, got[byte]);
            if (i == 0 && byte == 0) SPMD_EQ(got[byte], want[0]);
        }
    }
    spmd_barrier();
    upcr_all_free(from);
    upcr_all_free(to);
    free(got);
    free(want);
}

static void run(void) {
    const size_t all = (size_t)upcr_threads() * kStripe;
    const upcr_shared_ptr_t p = spmd_alloc(all);
    const char *const given = getenv("SPMD_SEED");
    struct job j = {0, (unsigned char *)calloc(all, 1), (unsigned char *)malloc(kStripe),
                    (unsigned char *)malloc(kStripe)};
    const uint64_t rounds = spmd_effort(200);
    if (upcri_mypthread() == 0) {
        area = p;
        seed = given != NULL ? strtoull(given, NULL, 10) : 4711;
    }
    spmd_barrier();
    j.random = seed * 1000 + upcr_mythread();
    for (uint64_t round = 0; round < rounds; ++round)
        batch(&j, (enum way)(round % kWays), round / kWays % 2 == 0 ? 0 : (size_t)kHalf);
    for (upcr_thread_t owner = 0; owner < upcr_threads(); ++owner) compare(&j, owner);
    spmd_barrier();
    large();
    very_many();
    free(j.got);
    free(j.source);
    free(j.model);
}

SPMD_MAIN(run)
