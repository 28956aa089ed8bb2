/* SPDX-License-Identifier: BSD-3-Clause */
/* The gmem layer: every transfer in every size class between all pairs of UPC threads, counts, reuse of
 * sources, the bounce buffer, pieces, handles. */
#include <upcr/gmem.h>
#include <upcr/gupc.h>

#include "tests/spmd/spmd.h"

enum { kArea = 600 * KB };
static const size_t sizes[] = {1,    2,    3,    4,    8,     9,        16,           100,
                               1023, 1024, 1025, 4096, 70000, 256 * KB, 256 * KB + 7, 512 * KB};

static __thread upcr_shared_ptr_t area;              /* kArea bytes of each thread */
static __thread char buffer[kArea], expected[kArea]; /* UPC threads may be pthreads */

static void fill(char *p, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; ++i) p[i] = (char)(spmd_random(&seed) >> 8);
}
static upcr_gmem_addr_t gmem_at(upcr_thread_t t, size_t byte) {
    return upcr_sptr_to_gmem_addr(spmd_part(area, t, byte));
}
static uint64_t initiated(const upcr_gmem_xfer_info_p x) { return x->num_pending + x->num_completed; }

/* Each thread works in the memory of the next one, and of the one after that. */
static void transfers(void) {
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const size_t n = sizes[i], at = i * 3;
        fill(expected, n, me * 100 + i);
        memcpy(buffer, expected, n);
        upcr_gmem_put(gmem_at(next, at), buffer, n);
        memset(buffer, 0x55, n); /* the source may be reused at once */
        upcr_gmem_sync_puts();
        upcr_gmem_get(buffer, gmem_at(next, at), n);
        upcr_gmem_sync_gets();
        SPMD_CHECK(memcmp(buffer, expected, n) == 0);
        spmd_barrier();
        /* Checks the data of the previous thread here; then copies it to the next one's memory. */
        fill(expected, n, (me + upcr_threads() - 1) % upcr_threads() * 100 + i);
        SPMD_CHECK(memcmp(upcr_gmem_shared_offset_to_local_addr(gmem_at(me, at).offset), expected, n) == 0);
        spmd_barrier();
        memset(upcr_gmem_shared_offset_to_local_addr(gmem_at(me, at).offset), 0, n);
        fill(upcr_gmem_shared_offset_to_local_addr(gmem_at(me, at).offset), n, me + 7 * i);
        spmd_barrier();
        if (n <= 64 * KB) {
            upcr_gmem_copy(gmem_at(me, 300 * KB + at), gmem_at(next, at), n); /* from the network */
            upcr_gmem_sync();
            fill(expected, n, next + 7 * i);
            SPMD_CHECK(memcmp(upcr_gmem_shared_offset_to_local_addr(gmem_at(me, 300 * KB + at).offset),
                              expected, n) == 0);
            spmd_barrier();
            upcr_gmem_copy(gmem_at(next, 400 * KB), gmem_at((me + 2) % upcr_threads(), at),
                           n); /* neither mine */
            upcr_gmem_sync();
            spmd_barrier();
            fill(expected, n, (me + 1) % upcr_threads() + 7 * i);
            SPMD_CHECK(memcmp(upcr_gmem_shared_offset_to_local_addr(gmem_at(me, 400 * KB).offset), expected,
                              n) == 0);
            spmd_barrier();
        }
        upcr_gmem_set(gmem_at(next, at), (int)(0x300 + i), n);
        upcr_gmem_sync_puts();
        spmd_barrier();
        for (size_t k = 0; k < n; ++k)
            SPMD_EQ(*(unsigned char *)upcr_gmem_shared_offset_to_local_addr(gmem_at(me, at + k).offset), i);
        spmd_barrier();
    }
    upcr_gmem_put(gmem_at(next, 0), buffer, 0);
    upcr_gmem_get(buffer, gmem_at(next, 0), 0);
    upcr_gmem_copy(gmem_at(next, 0), gmem_at(next, 8), 0);
    upcr_gmem_set(gmem_at(next, 0), 1, 0);
    upcr_gmem_sync();
}

/* Gets and puts count apart; a piece counts as one; own memory does not count. */
static void counts(void) {
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    const uint64_t remote = next != me;
    const size_t whole = upcri_gmem_piece;
    uint64_t gets = initiated(&upcr_gmem_gets), puts = initiated(&upcr_gmem_puts);
    spmd_barrier();
    upcr_gmem_get(buffer, gmem_at(next, 0), 100);
    SPMD_EQ(initiated(&upcr_gmem_gets), gets += remote);
    SPMD_EQ(initiated(&upcr_gmem_puts), puts);
    upcr_gmem_put(gmem_at(next, 0), buffer, 100);
    upcr_gmem_set(gmem_at(next, 200), 3, 100);
    SPMD_EQ(initiated(&upcr_gmem_gets), gets);
    SPMD_EQ(initiated(&upcr_gmem_puts), puts += 2 * remote);
    upcr_gmem_sync_puts();
    SPMD_EQ(upcr_gmem_puts.num_pending, 0);
    SPMD_EQ(upcr_gmem_puts.num_completed, puts);
    upcr_gmem_sync_gets();
    SPMD_EQ(upcr_gmem_gets.num_pending, 0);
    SPMD_EQ(upcr_gmem_gets.num_completed, gets);
    spmd_barrier();
    if (upcri_mypthread() == 0) upcri_gmem_piece = 1000;
    spmd_barrier();
    fill(expected, 300000, me);
    memcpy(buffer, expected, 300000);
    upcr_gmem_put(gmem_at(next, 1), buffer, 300000);
    SPMD_EQ(initiated(&upcr_gmem_puts), puts += 300 * remote);
    memset(buffer, 0, 300000);
    upcr_gmem_get(buffer, gmem_at(next, 1), 299001);
    SPMD_EQ(initiated(&upcr_gmem_gets), gets += 300 * remote);
    upcr_gmem_sync();
    SPMD_CHECK(memcmp(buffer, expected, 299001) == 0);
    upcr_gmem_set(gmem_at(next, 1), 9, 5001);
    SPMD_EQ(initiated(&upcr_gmem_puts), puts += 6 * remote);
    upcr_gmem_sync();
    SPMD_EQ(upcr_gmem_puts.num_pending + upcr_gmem_gets.num_pending, 0);
    spmd_barrier();
    if (upcri_mypthread() == 0) upcri_gmem_piece = whole;
    spmd_barrier();
}

/* More puts than can be pending or than the buffer holds; each source changes at once. */
static void many_puts(void) {
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    const uint64_t rounds = spmd_effort(4000);
    char *const mine = upcr_gmem_shared_offset_to_local_addr(gmem_at(me, 0).offset);
    for (size_t n = 8; n <= 1024; n += 508) {
        const size_t slots = kArea / n;
        for (uint64_t i = 0; i < rounds; ++i) {
            uint64_t value[128];
            for (size_t k = 0; k < n / 8; ++k) value[k] = i * n + k;
            upcr_gmem_put(gmem_at(next, i % slots * n), value, n / 8 * 8);
            SPMD_CHECK(upcr_gmem_num_put_bounce_buffer_bytes_used <= UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE);
            if (i % slots == slots - 1) upcr_gmem_sync(); /* no order between puts to the same bytes */
        }
        upcr_gmem_sync_puts();
        SPMD_EQ(upcr_gmem_num_put_bounce_buffer_bytes_used, 0);
        SPMD_EQ(upcr_gmem_puts.num_pending, 0);
        spmd_barrier();
        for (uint64_t i = rounds > slots ? rounds - slots : 0; i < rounds; ++i)
            for (size_t k = 0; k < n / 8; ++k) {
                uint64_t value;
                memcpy(&value, mine + i % slots * n + k * 8, 8);
                SPMD_EQ(value, i * n + k);
            }
        spmd_barrier();
    }
}

/* Copies that do not fit the buffer together; each source changes at once. */
static void many_copies(void) {
    enum { kLength = 150 * KB, kCopies = 3, kSource = kCopies * kLength };
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    char *const mine = upcr_gmem_shared_offset_to_local_addr(gmem_at(me, 0).offset);
    spmd_barrier();
    for (size_t i = 0; i < kCopies; ++i) {
        memset(mine + kSource, (int)(me * kCopies + i + 1), kLength);
        upcr_gmem_copy(gmem_at(next, i * kLength), gmem_at(me, kSource), kLength);
    }
    upcr_gmem_sync();
    spmd_barrier();
    const upcr_thread_t before = (me + upcr_threads() - 1) % upcr_threads();
    for (size_t i = 0; i < kCopies; ++i)
        for (size_t k = 0; k < kLength; ++k)
            SPMD_EQ((unsigned char)mine[i * kLength + k], before * kCopies + i + 1);
    spmd_barrier();
}

static void handles(void) {
    enum { kHandles = 150, kEach = 1500 };
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    static __thread upcr_gmem_handle_t h[kHandles];
    spmd_barrier();
    for (size_t i = 0; i < kHandles; ++i) {
        char small[1024];
        const size_t n = i % 2 != 0 ? sizeof small : kEach;
        fill(buffer + i * kEach, kEach, me + 1000 * i);
        memcpy(small, buffer + i * kEach, sizeof small);
        h[i] = upcr_gmem_put_nh(gmem_at(next, i * kEach), i % 2 != 0 ? small : buffer + i * kEach, n);
        memset(small, 0x77, sizeof small); /* up to 1 KiB the source may be reused */
    }
    upcr_gmem_wait_all_nh(h, kHandles);
    for (size_t i = 0; i < kHandles; ++i) SPMD_CHECK(h[i] == UPCR_INVALID_HANDLE);
    memset(expected, 0, sizeof expected);
    for (size_t i = 0; i < kHandles; ++i)
        h[i] = upcr_gmem_get_nh(expected + i * kEach, gmem_at(next, i * kEach), kEach);
    size_t left = 0; /* handles of pending transfers */
    for (size_t i = 0; i < kHandles; ++i) left += h[i] != UPCR_INVALID_HANDLE;
    while (left != 0) {
        size_t now = 0;
        upcr_gmem_wait_any_nh(h, kHandles);
        for (size_t i = 0; i < kHandles; ++i) now += h[i] != UPCR_INVALID_HANDLE;
        SPMD_CHECK(now < left);
        left = now;
    }
    for (size_t i = 0; i < kHandles; ++i)
        SPMD_CHECK(memcmp(expected + i * kEach, buffer + i * kEach, i % 2 != 0 ? 1024 : kEach) == 0);
    upcr_gmem_wait_any_nh(h, kHandles); /* nothing to wait for: returns */
    upcr_gmem_wait_any_nh(NULL, 0);
    upcr_gmem_wait_all_nh(NULL, 0);
    spmd_barrier();
    /* A short copy has read its source on return. */
    char *const mine = upcr_gmem_shared_offset_to_local_addr(gmem_at(me, 0).offset);
    for (size_t n = 1; n <= 64 * KB; n *= 16) {
        fill(mine, n, me + n);
        spmd_barrier();
        h[0] = upcr_gmem_copy_nh(gmem_at(next, 100 * KB), gmem_at(me, 0), n);
        h[1] = upcr_gmem_copy_nh(gmem_at(me, 200 * KB), gmem_at(next, 0), n);
        h[2] = upcr_gmem_set_nh(gmem_at(next, 300 * KB), 0x1A5, n);
        if (n > 1024) upcr_gmem_wait_all_nh(h, 3);
        spmd_barrier();
        memset(mine, 0, n);
        upcr_gmem_wait_all_nh(h, 3);
        spmd_barrier();
        fill(expected, n, (me + upcr_threads() - 1) % upcr_threads() + n);
        SPMD_CHECK(memcmp(mine + 100 * KB, expected, n) == 0);
        fill(expected, n, next + n);
        SPMD_CHECK(memcmp(mine + 200 * KB, expected, n) == 0);
        for (size_t k = 0; k < n; ++k) SPMD_EQ((unsigned char)mine[300 * KB + k], 0xA5);
        spmd_barrier();
    }
}

/* Names of structures, and the buffer as an object: a put to memory that is not mapped is in it. */
static void names(void) {
    const upcr_thread_t next = (upcr_mythread() + 1) % upcr_threads();
    struct upcr_gmem_addr_struct a = gmem_at(next, 0);
    struct upcr_gmem_xfer_info_struct now = upcr_gmem_puts;
    char text[24] = "what the buffer holds";
    upcr_gmem_sync();
    upcr_gmem_put(a, text, sizeof text);
    SPMD_EQ(upcr_gmem_puts.num_completed + upcr_gmem_puts.num_pending,
            now.num_completed + now.num_pending + (next != upcr_mythread()));
    if (upcri_window.bases[next] == 0) {
        SPMD_EQ(upcr_gmem_num_put_bounce_buffer_bytes_used, sizeof text);
        SPMD_EQ(sizeof upcr_gmem_put_bounce_buffer, UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE);
        SPMD_CHECK(memcmp(upcr_gmem_put_bounce_buffer, text, sizeof text) == 0);
    } else {
        SPMD_EQ(upcr_gmem_num_put_bounce_buffer_bytes_used, 0);
    }
    upcr_gmem_sync_puts();
    SPMD_EQ(upcr_pending_strict_put, 0);
    spmd_barrier();
}

static void run(void) {
    SPMD_EQ(upcr_my_thread, upcr_mythread());
    SPMD_EQ(UPCR_GMEM_MAX_SAFE_PUT_SIZE, 1 * KB);
    SPMD_EQ(UPCR_GMEM_MAX_PORTALS_GET_SIZE, 1 * GB);
    SPMD_EQ(UPCR_GMEM_MAX_PORTALS_PUT_SIZE, 1 * GB);
    SPMD_EQ(UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE, 256 * KB);
    SPMD_EQ(UPCR_MAX_ORDERED_SIZE, 1 * KB);
    SPMD_EQ(sizeof(upcr_gmem_put_bounce_buffer_t), 256 * KB);
    SPMD_EQ(upcri_gmem_piece, 1 * GB);
    area = spmd_alloc(kArea);
    transfers();
    counts();
    many_puts();
    many_copies();
    handles();
    names();
    UPCR_READ_FENCE();
    UPCR_WRITE_FENCE();
    UPCR_FENCE();
    /* The last puts are not synchronised: the end of the program does that. */
    upcr_gmem_put(gmem_at((upcr_mythread() + 1) % upcr_threads(), 0), buffer, 1000);
}

SPMD_MAIN(run)
