/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-blocking scalar access: very many operations in flight, every way to synchronise, the array rules,
 * implicit operations, access regions, value gets, strict operations.
 */
#include "tests/spmd/spmd.h"

static upcr_shared_ptr_t area; /* `many` words of every thread, written by its left neighbour */
static size_t many;

static upcr_thread_t right(void) { return (upcr_mythread() + 1) % upcr_threads(); }
static upcr_thread_t left(void) { return (upcr_mythread() + upcr_threads() - 1) % upcr_threads(); }
static uint64_t word(upcr_thread_t writer, size_t i, uint64_t round) {
    return ((uint64_t)writer << 48) + (round << 32) + i + 1;
}
static upcr_shared_ptr_t at(upcr_thread_t t, size_t i) { return spmd_part(area, t, 8 * i); }
static upcr_pshared_ptr_t pat(upcr_thread_t t, size_t i) { return spmd_ppart(area, t, 8 * i); }

static void check_my_words(uint64_t round) {
    const uint64_t *mine = (const uint64_t *)upcr_shared_to_local(at(upcr_mythread(), 0));
    spmd_barrier();
    for (size_t i = 0; i < many; ++i) SPMD_EQ(mine[i], word(left(), i, round));
    spmd_barrier();
}

/* Waits for all of them, each quarter by another function. */
static void sync_all_ways(upcr_handle_t *h, size_t n) {
    const size_t q = n / 4;
    for (size_t i = 0; i < q; ++i) upcr_wait_syncnb(h[i]);
    for (size_t i = q; i < 2 * q; ++i)
        while (!upcr_try_syncnb(h[i])) continue;
    upcr_wait_syncnb_all(h + 2 * q, q / 2);
    while (!upcr_try_syncnb_all(h + 2 * q + q / 2, q - q / 2)) continue;
    for (size_t first = 3 * q; first < n; first += 64) { /* short arrays: these functions test every entry */
        const size_t count = n - first < 64 ? n - first : 64;
        for (;;) {
            size_t live = 0;
            for (size_t i = 0; i < count; ++i) live += h[first + i] != UPCR_INVALID_HANDLE;
            if (live == 0) break;
            if (live % 2 == 0)
                upcr_wait_syncnb_some(h + first, count);
            else if (!upcr_try_syncnb_some(h + first, count))
                continue;
            size_t left_over = 0;
            for (size_t i = 0; i < count; ++i) left_over += h[first + i] != UPCR_INVALID_HANDLE;
            SPMD_CHECK(left_over < live);
        }
    }
}

static void explicit_handles(void) {
    upcr_handle_t *h = (upcr_handle_t *)calloc(many, sizeof *h);
    uint64_t *got = (uint64_t *)calloc(many, sizeof *got);
    const upcr_thread_t me = upcr_mythread();
    volatile size_t eight = 8;
    for (size_t i = 0; i < many; ++i) {
        uint64_t value = word(me, i, 1);
        switch (i % 4) {
        case 0: h[i] = upcr_put_nb_shared(at(right(), i), 0, &value, 8); break;
        case 1: h[i] = upcr_put_nb_pshared(pat(right(), i), 0, &value, eight); break;
        case 2: h[i] = upcr_put_nb_shared_val(at(right(), 0), (ptrdiff_t)(8 * i), value, 8); break;
        default: h[i] = upcr_put_nb_pshared_val(pat(right(), i), 0, value, 8); break;
        }
        value = 0; /* reusable at once */
    }
    sync_all_ways(h, many);
    check_my_words(1);

    memset(h, 0, many * sizeof *h);
    for (size_t i = 0; i < many; ++i)
        h[i] = i % 2 == 0 ? upcr_get_nb_shared(&got[i], at(right(), i), 0, 8)
                          : upcr_get_nb_pshared(&got[i], pat(right(), i), 0, eight);
    sync_all_ways(h, many);
    for (size_t i = 0; i < many; ++i) SPMD_EQ(got[i], word(me, i, 1));
    free(got);
    free(h);
    spmd_barrier();
}

static void implicit_handles(void) {
    uint64_t *got = (uint64_t *)calloc(many, sizeof *got);
    const upcr_thread_t me = upcr_mythread();
    for (size_t i = 0; i < many; ++i) {
        uint64_t value = word(me, i, 2);
        switch (i % 4) {
        case 0: upcr_put_nbi_shared(at(right(), i), 0, &value, 8); break;
        case 1: upcr_put_nbi_pshared(pat(right(), i), 0, &value, 8); break;
        case 2: upcr_put_nbi_shared_val(at(right(), i), 0, value, 8); break;
        default: upcr_put_nbi_pshared_val(pat(right(), i), 0, value, 8); break;
        }
    }
    upcr_wait_syncnbi_puts();
    SPMD_CHECK(upcr_try_syncnbi_puts() && upcr_try_syncnbi_gets() && upcr_try_syncnbi_all());
    check_my_words(2);
    for (size_t i = 0; i < many; ++i) {
        if (i % 2 == 0)
            upcr_get_nbi_shared(&got[i], at(right(), i), 0, 8);
        else
            upcr_get_nbi_pshared(&got[i], pat(right(), i), 0, 8);
    }
    while (!upcr_try_syncnbi_gets()) continue;
    for (size_t i = 0; i < many; ++i) SPMD_EQ(got[i], word(me, i, 2));
    upcr_wait_syncnbi_gets();
    upcr_wait_syncnbi_all();
    free(got);
    spmd_barrier();
}

/* Three regions in flight at once, with explicit and implicit operations of other kinds between them. */
static void regions(void) {
    upcr_handle_t h[3], other[3];
    uint64_t got[3] = {0, 0, 0}, lone = 0;
    const upcr_thread_t me = upcr_mythread();
    for (size_t r = 0; r < 3; ++r) {
        uint64_t value;
        upcr_begin_nbi_accessregion();
        for (size_t i = r; i < many; i += 3) {
            value = word(me, i, 3);
            upcr_put_nbi_shared(at(right(), i), 0, &value, 8);
        }
        other[r] =
            upcr_get_nb_shared(&got[r], at(me, many), 0, 8); /* the word behind, which is not written */
        h[r] = upcr_end_nbi_accessregion();
        upcr_get_nbi_shared(&lone, at(me, many), 0, 8);
    }
    upcr_wait_syncnbi_all();
    upcr_wait_syncnb_all(other, 3);
    upcr_wait_syncnb(h[2]);
    upcr_wait_syncnb_all(h, 2);
    SPMD_CHECK(lone == 0 && got[0] == 0 && got[1] == 0 && got[2] == 0);
    check_my_words(3);

    upcr_begin_nbi_accessregion(); /* an empty one */
    upcr_wait_syncnb(upcr_end_nbi_accessregion());
}

static void value_gets(void) {
    enum { kCount = 1000 };
    upcr_valget_handle_t h[kCount];
    const upcr_thread_t me = upcr_mythread();
    for (size_t i = 0; i < kCount && i < many; ++i)
        h[i] = i % 2 == 0 ? upcr_get_nb_shared_val(at(right(), i), 0, 8)
                          : upcr_get_nb_pshared_val(pat(right(), i), 0, 1 + i % 8);
    for (size_t i = 0; i < kCount && i < many; ++i) {
        const size_t n = i % 2 == 0 ? 8 : 1 + i % 8;
        const uint64_t mask = n == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
        SPMD_EQ(upcr_wait_syncnb_valget(h[i]), word(me, i, 3) & mask);
    }
    for (size_t i = 0; i < 100 && i < many; ++i) {
        SPMD_EQ(upcr_wait_syncnb_valget(upcr_get_nb_shared_val_strict(at(right(), i), 0, 8)), word(me, i, 3));
        SPMD_EQ(upcr_wait_syncnb_valget(upcr_get_nb_pshared_val_strict(pat(right(), i), 0, 4)),
                (uint32_t)word(me, i, 3));
    }
    spmd_barrier();
}

static void strict_operations(void) {
    const upcr_thread_t me = upcr_mythread();
    for (size_t i = 0; i < many; ++i) {
        const uint64_t value = word(me, i, 4);
        uint64_t got = 0;
        upcr_handle_t h;
        if (i >= 200) {
            upcr_put_nbi_shared_val(at(right(), i), 0, value, 8);
            continue;
        }
        switch (i % 4) {
        case 0: h = upcr_put_nb_shared_strict(at(right(), i), 0, &value, 8); break;
        case 1: h = upcr_put_nb_pshared_strict(pat(right(), i), 0, &value, 8); break;
        case 2: h = upcr_put_nb_shared_val_strict(at(right(), i), 0, value, 8); break;
        default: h = upcr_put_nb_pshared_val_strict(pat(right(), i), 0, value, 8); break;
        }
        upcr_wait_syncnb_strict(h);
        h = i % 2 == 0 ? upcr_get_nb_shared_strict(&got, at(right(), i), 0, 8)
                       : upcr_get_nb_pshared_strict(&got, pat(right(), i), 0, 8);
        while (!upcr_try_syncnb_strict(h)) continue;
        SPMD_EQ(got, value);
    }
    upcr_wait_syncnbi_all();
    check_my_words(4);
}

static void array_rules(void) {
    upcr_handle_t none[3] = {UPCR_INVALID_HANDLE, UPCR_INVALID_HANDLE, UPCR_INVALID_HANDLE}, h[3];
    uint64_t got[3];
    upcr_wait_syncnb(UPCR_INVALID_HANDLE);
    upcr_wait_syncnb_strict(UPCR_INVALID_HANDLE);
    SPMD_CHECK(upcr_try_syncnb(UPCR_INVALID_HANDLE) == 1 && upcr_try_syncnb_strict(UPCR_INVALID_HANDLE) == 1);
    upcr_wait_syncnb_all(none, 3);
    upcr_wait_syncnb_some(none, 3);
    upcr_wait_syncnb_all(NULL, 0);
    upcr_wait_syncnb_some(NULL, 0);
    SPMD_CHECK(upcr_try_syncnb_all(none, 3) == 1 && upcr_try_syncnb_some(none, 3) == 1);
    SPMD_CHECK(upcr_try_syncnb_all(NULL, 0) == 1 && upcr_try_syncnb_some(NULL, 0) == 1);
    h[0] = upcr_get_nb_shared(&got[0], at(right(), 0), 0, 8);
    h[1] = UPCR_INVALID_HANDLE;
    h[2] = upcr_get_nb_shared(&got[2], at(right(), 1), 0, 8);
    while (!upcr_try_syncnb_all(h, 3)) continue;
    SPMD_CHECK(h[0] == UPCR_INVALID_HANDLE && h[1] == UPCR_INVALID_HANDLE && h[2] == UPCR_INVALID_HANDLE);
    SPMD_EQ(got[0], word(upcr_mythread(), 0, 4));
    SPMD_EQ(got[2], word(upcr_mythread(), 1, 4));
}

static void run(void) {
    const size_t count = spmd_effort(200000);
    const upcr_shared_ptr_t p = spmd_alloc(8 * (count + 8));
    if (upcri_mypthread() == 0) {
        area = p;
        many = count;
    }
    spmd_barrier();
    explicit_handles();
    implicit_handles();
    regions();
    value_gets();
    strict_operations();
    array_rules();
}

SPMD_MAIN(run)
