/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The guarantee of UPCR_ATOMIC_MEMSIZE: aligned accesses of 1, 2, 4 and 8 bytes are single-copy atomic, on any
 * path. All threads write words whose bytes are all equal to the same few locations, by every kind of put, and
 * read them by every kind of get, including the owner's own load.
 */
#include "tests/spmd/spmd.h"

typedef char promised[UPCR_ATOMIC_MEMSIZE(1) && UPCR_ATOMIC_MEMSIZE(2) && UPCR_ATOMIC_MEMSIZE(4) &&
                              UPCR_ATOMIC_MEMSIZE(8) && UPCR_ATOMIC_MEMSIZE(0) == 8
                          ? 1
                          : -1];

static upcr_shared_ptr_t area; /* a word of each size on every thread, on a cache line each */

/* `byte` in each of n bytes. */
static uint64_t uniform(unsigned byte, size_t n) {
    return (UINT64_C(0x0101010101010101) * byte) & (n == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1);
}
static void check(uint64_t value, size_t n, const char *how) {
    if (value != uniform((unsigned)(value & 0xff), n))
        SPMD_FAIL("%s of %zu bytes saw %#llx, which no thread wrote", how, n, (unsigned long long)value);
}

static void put_constant(upcr_shared_ptr_t p, uint64_t value, size_t n, uint64_t which) {
    switch (n) {
    case 1: upcr_put_shared_val(p, 0, value, 1); break;
    case 2: which % 2 ? upcr_put_shared_val(p, 0, value, 2) : upcr_put_shared(p, 0, &value, 2); break;
    case 4: which % 2 ? upcr_put_shared_val_strict(p, 0, value, 4) : upcr_put_shared(p, 0, &value, 4); break;
    default: which % 2 ? upcr_put_shared_val(p, 0, value, 8) : upcr_put_shared_strict(p, 0, &value, 8); break;
    }
}
static uint64_t get_constant(upcr_shared_ptr_t p, size_t n) {
    uint64_t value = 0;
    switch (n) {
    case 1: return upcr_get_shared_val(p, 0, 1);
    case 2: upcr_get_shared(&value, p, 0, 2); return value;
    case 4: return upcr_get_shared_val_strict(p, 0, 4);
    default: upcr_get_shared(&value, p, 0, 8); return value;
    }
}

static void write_somehow(upcr_shared_ptr_t p, uint64_t value, size_t n, uint64_t which) {
    uint64_t source = value; /* aligned, as the guarantee requires */
    switch (which % 6) {
    case 0: put_constant(p, value, n, which / 6); break;
    case 1: upcr_put_shared(p, 0, &source, n); break; /* the size is not a constant */
    case 2: upcr_memput(p, &source, n); break;
    case 3: upcr_wait_syncnb(upcr_put_nb_shared(p, 0, &source, n)); break;
    case 4:
        upcr_put_nbi_shared_val(p, 0, value, n);
        upcr_wait_syncnbi_puts();
        break;
    default: upcr_wait_syncnb(upcr_nb_memput(p, &source, n)); break;
    }
}
static void read_somehow(upcr_shared_ptr_t p, size_t n, uint64_t which) {
    uint64_t value = 0;
    switch (which % 6) {
    case 0: check(get_constant(p, n), n, "a get with a constant size"); break;
    case 1:
        upcr_get_shared(&value, p, 0, n);
        check(value, n, "upcr_get_shared");
        break;
    case 2:
        upcr_memget(&value, p, n);
        check(value, n, "upcr_memget");
        break;
    case 3: check(upcr_wait_syncnb_valget(upcr_get_nb_shared_val(p, 0, n)), n, "a value get"); break;
    case 4:
        upcr_get_nbi_shared(&value, p, 0, n);
        upcr_wait_syncnbi_gets();
        check(value, n, "upcr_get_nbi_shared");
        break;
    default:
        upcr_wait_syncnb(upcr_nb_memget(&value, p, n));
        check(value, n, "upcr_nb_memget");
        break;
    }
}

static void run(void) {
    const upcr_shared_ptr_t p = spmd_alloc(4 * 64);
    const uint64_t rounds = spmd_effort(20000);
    uint64_t random = 77 + upcr_mythread();
    if (upcri_mypthread() == 0) area = p;
    spmd_barrier();
    for (uint64_t round = 0; round < rounds; ++round) {
        const uint64_t bits = spmd_random(&random);
        const unsigned log = (unsigned)(bits % 4);
        const size_t n = (size_t)1 << log;
        /* Mostly thread 0's words, for contention. */
        const upcr_thread_t owner = bits >> 2 & 3 ? 0 : (upcr_thread_t)(bits >> 8) % upcr_threads();
        const upcr_shared_ptr_t at = spmd_part(area, owner, 64 * log);
        if (bits >> 40 & 1)
            write_somehow(at, uniform((unsigned)(bits >> 16 & 0xff), n), n, bits >> 24 & 0xffff);
        else
            read_somehow(at, n, bits >> 24 & 0xffff);
        if (owner == upcr_mythread() && n == 8)
            check(__atomic_load_n((uint64_t *)upcr_shared_to_local(at), __ATOMIC_RELAXED), 8,
                  "the owner's load");
    }
}

SPMD_MAIN(run)
