/* SPDX-License-Identifier: BSD-3-Clause */
/* Every upper-case alias of upcr_proxy.h, as whirl2c writes them: a blank before the arguments, values and
 * handles in variables of other types. The functions' behaviour is tested under their own names. */
#include <upcr_proxy.h>

#include "tests/spmd/spmd.h"

enum { kBytes = 256 };
static __thread upcr_shared_ptr_t there;   /* the neighbour's memory */
static __thread upcr_pshared_ptr_t pthere; /* the same */

/* The value of the neighbour's object at `offset`, read by the lower-case function. */
static uint64_t word(ptrdiff_t offset) { return upcr_get_shared_val(there, offset, 8); }
static double real(ptrdiff_t offset) { return upcr_get_shared_doubleval(there, offset); }
static float single(ptrdiff_t offset) { return upcr_get_shared_floatval(there, offset); }

static void puts_and_gets(void) {
    uint64_t a = 11, b = 12, got = 0, pgot = 0;
    UPCR_PUT_SHARED(there, 0, &a, 8);
    UPCR_PUT_PSHARED(pthere, 8, &b, 8);
    SPMD_EQ(word(0), 11);
    SPMD_EQ(word(8), 12);
    UPCR_GET_SHARED(&got, there, 8, 8);
    UPCR_GET_PSHARED(&pgot, pthere, 0, 8);
    SPMD_EQ(got, 12);
    SPMD_EQ(pgot, 11);
    a = 21, b = 22;
    UPCR_PUT_SHARED_STRICT(there, 0, &a, 8);
    UPCR_PUT_PSHARED_STRICT(pthere, 8, &b, 8);
    UPCR_GET_SHARED_STRICT(&got, there, 0, 8);
    UPCR_GET_PSHARED_STRICT(&pgot, pthere, 8, 8);
    SPMD_EQ(got, 21);
    SPMD_EQ(pgot, 22);
}

static void values(void) {
    const signed char minus = -3; /* converted, whatever its type */
    UPCR_PUT_SHARED_VAL(there, 0, minus, 8);
    SPMD_EQ(word(0), (uint64_t)-3);
    UPCR_PUT_PSHARED_VAL(pthere, 0, &there, 8);
    SPMD_EQ(word(0), (uintptr_t)&there);
    UPCR_PUT_SHARED_VAL_STRICT(there, 8, 31, 8);
    UPCR_PUT_PSHARED_VAL_STRICT(pthere, 16, 32, 8);
    SPMD_EQ(UPCR_GET_SHARED_VAL(there, 8, 8), 31);
    SPMD_EQ(UPCR_GET_PSHARED_VAL(pthere, 16, 8), 32);
    SPMD_EQ(UPCR_GET_SHARED_VAL_STRICT(there, 16, 8), 32);
    SPMD_EQ(UPCR_GET_PSHARED_VAL_STRICT(pthere, 8, 8), 31);

    UPCR_PUT_SHARED_FLOATVAL(there, 0, 1.5f);
    UPCR_PUT_PSHARED_FLOATVAL(pthere, 4, 2.5f);
    UPCR_PUT_SHARED_FLOATVAL_STRICT(there, 8, 3.5f);
    UPCR_PUT_PSHARED_FLOATVAL_STRICT(pthere, 12, 4.5f);
    SPMD_CHECK(single(0) == 1.5f && single(4) == 2.5f && single(8) == 3.5f && single(12) == 4.5f);
    SPMD_CHECK(UPCR_GET_SHARED_FLOATVAL(there, 0) == 1.5f);
    SPMD_CHECK(UPCR_GET_PSHARED_FLOATVAL(pthere, 4) == 2.5f);
    SPMD_CHECK(UPCR_GET_SHARED_FLOATVAL_STRICT(there, 8) == 3.5f);
    SPMD_CHECK(UPCR_GET_PSHARED_FLOATVAL_STRICT(pthere, 12) == 4.5f);
    UPCR_PUT_SHARED_DOUBLEVAL(there, 16, 1.25);
    UPCR_PUT_PSHARED_DOUBLEVAL(pthere, 24, 2.25);
    UPCR_PUT_SHARED_DOUBLEVAL_STRICT(there, 32, 3.25);
    UPCR_PUT_PSHARED_DOUBLEVAL_STRICT(pthere, 40, 4.25);
    SPMD_CHECK(real(16) == 1.25 && real(24) == 2.25 && real(32) == 3.25 && real(40) == 4.25);
    SPMD_CHECK(UPCR_GET_SHARED_DOUBLEVAL(there, 16) == 1.25);
    SPMD_CHECK(UPCR_GET_PSHARED_DOUBLEVAL(pthere, 24) == 2.25);
    SPMD_CHECK(UPCR_GET_SHARED_DOUBLEVAL_STRICT(there, 32) == 3.25);
    SPMD_CHECK(UPCR_GET_PSHARED_DOUBLEVAL_STRICT(pthere, 40) == 4.25);
}

static void explicit_handles(void) {
    uint64_t a = 41, b = 42, got = 0, pgot = 0;
    uintptr_t h; /* the translator's type for handles */
    void *other;
    h = (uintptr_t)UPCR_PUT_NB_SHARED(there, 0, &a, 8);
    other = UPCR_PUT_NB_PSHARED(pthere, 8, &b, 8);
    UPCR_WAIT_SYNCNB(h);
    UPCR_WAIT_SYNCNB(other);
    h = (uintptr_t)UPCR_GET_NB_SHARED(&got, there, 0, 8);
    other = UPCR_GET_NB_PSHARED(&pgot, pthere, 8, 8);
    while (!UPCR_TRY_SYNCNB(h)) {
    }
    while (!UPCR_TRY_SYNCNB(other)) {
    }
    SPMD_EQ(got, 41);
    SPMD_EQ(pgot, 42);
    h = (uintptr_t)UPCR_PUT_NB_SHARED_VAL(there, 0, (short)43, 8);
    other = UPCR_PUT_NB_PSHARED_VAL(pthere, 8, 44, 8);
    UPCR_WAIT_SYNCNB(h);
    UPCR_WAIT_SYNCNB(other);
    SPMD_EQ(word(0), 43);
    SPMD_EQ(word(8), 44);
    {
        upcr_valget_handle_t v = UPCR_GET_NB_SHARED_VAL(there, 0, 8),
                             w = UPCR_GET_NB_PSHARED_VAL(pthere, 8, 8);
        SPMD_EQ(UPCR_WAIT_SYNCNB_VALGET(w), 44);
        SPMD_EQ(UPCR_WAIT_SYNCNB_VALGET(v), 43);
    }
}

static void strict_handles(void) {
    uint64_t a = 51, got = 0;
    uintptr_t h = (uintptr_t)UPCR_PUT_NB_SHARED_STRICT(there, 0, &a, 8);
    UPCR_WAIT_SYNCNB_STRICT(h);
    a = 52;
    h = (uintptr_t)UPCR_PUT_NB_PSHARED_STRICT(pthere, 8, &a, 8);
    while (!UPCR_TRY_SYNCNB_STRICT(h)) {
    }
    h = (uintptr_t)UPCR_GET_NB_SHARED_STRICT(&got, there, 0, 8);
    UPCR_WAIT_SYNCNB_STRICT(h);
    SPMD_EQ(got, 51);
    h = (uintptr_t)UPCR_GET_NB_PSHARED_STRICT(&got, pthere, 8, 8);
    UPCR_WAIT_SYNCNB_STRICT(h);
    SPMD_EQ(got, 52);
    h = (uintptr_t)UPCR_PUT_NB_SHARED_VAL_STRICT(there, 0, 53, 8);
    UPCR_WAIT_SYNCNB_STRICT(h);
    h = (uintptr_t)UPCR_PUT_NB_PSHARED_VAL_STRICT(pthere, 8, 54, 8);
    UPCR_WAIT_SYNCNB_STRICT(h);
    SPMD_EQ(word(0), 53);
    SPMD_EQ(word(8), 54);
}

static void implicit(void) {
    uint64_t a = 61, b = 62, got = 0, pgot = 0;
    uintptr_t h;
    UPCR_PUT_NBI_SHARED(there, 0, &a, 8);
    UPCR_PUT_NBI_PSHARED(pthere, 8, &b, 8);
    UPCR_WAIT_SYNCNBI_PUTS();
    SPMD_EQ(word(0), 61);
    SPMD_EQ(word(8), 62);
    UPCR_GET_NBI_SHARED(&got, there, 8, 8);
    UPCR_GET_NBI_PSHARED(&pgot, pthere, 0, 8);
    UPCR_WAIT_SYNCNBI_GETS();
    SPMD_EQ(got, 62);
    SPMD_EQ(pgot, 61);
    UPCR_BEGIN_NBI_ACCESSREGION();
    a = 63;
    UPCR_PUT_NBI_SHARED(there, 0, &a, 8);
    h = (uintptr_t)UPCR_END_NBI_ACCESSREGION();
    UPCR_WAIT_SYNCNB(h);
    a = 64;
    UPCR_PUT_NBI_SHARED(there, 8, &a, 8);
    UPCR_WAIT_SYNCNBI_ALL();
    SPMD_EQ(word(0), 63);
    SPMD_EQ(word(8), 64);
}

static void bulk(void) {
    char out[16] = "fifteen letters", in[16] = "";
    uintptr_t h;
    UPCR_MEMPUT(there, out, 16);
    UPCR_MEMCPY(upcr_add_shared(there, 1, 32, 256), there, 16);
    UPCR_MEMGET(in, upcr_add_shared(there, 1, 32, 256), 16);
    SPMD_CHECK(memcmp(in, out, 16) == 0);
    UPCR_MEMSET(there, 0x5a, 8);
    SPMD_EQ(word(0), UINT64_C(0x5a5a5a5a5a5a5a5a));
    h = (uintptr_t)UPCR_NB_MEMSET(there, 0, 16);
    UPCR_WAIT_SYNCNB(h);
    SPMD_EQ(word(0), 0);
    h = (uintptr_t)UPCR_NB_MEMPUT(there, out, 16);
    UPCR_WAIT_SYNCNB(h);
    h = (uintptr_t)UPCR_NB_MEMCPY(upcr_add_shared(there, 1, 64, 256), there, 16);
    UPCR_WAIT_SYNCNB(h);
    memset(in, 0, sizeof in);
    h = (uintptr_t)UPCR_NB_MEMGET(in, upcr_add_shared(there, 1, 64, 256), 16);
    UPCR_WAIT_SYNCNB(h);
    SPMD_CHECK(memcmp(in, out, 16) == 0);
}

static void pointers(upcr_shared_ptr_t mine) {
    const upcr_thread_t me = upcr_mythread();
    upcr_shared_ptr_t s = upcri_make_shared(upcr_addrfield_shared(mine), me, 3), null = s;
    upcr_pshared_ptr_t p = UPCR_SHARED_TO_PSHARED(s), pnull = p;
    SPMD_CHECK(UPCR_ISVALID_SHARED(s) && UPCR_ISVALID_PSHARED(p));
    SPMD_EQ(UPCR_THREADOF_SHARED(s), me);
    SPMD_EQ(UPCR_THREADOF_PSHARED(p), me);
    SPMD_EQ(UPCR_PHASEOF_SHARED(s), 3);
    SPMD_EQ(UPCR_PHASEOF_PSHARED(p), 0);
    SPMD_EQ(UPCR_ADDRFIELD_SHARED(s), upcr_addrfield_shared(mine));
    SPMD_EQ(UPCR_ADDRFIELD_PSHARED(p), upcr_addrfield_shared(mine));
    SPMD_EQ(UPCR_PHASEOF_SHARED(UPCR_SHARED_RESETPHASE(s)), 0);
    SPMD_EQ(UPCR_PHASEOF_SHARED(UPCR_PSHARED_TO_SHARED(p)), 0);
    SPMD_CHECK(UPCR_SHARED_TO_LOCAL(mine) == upcr_cast(mine) && UPCR_PSHARED_TO_LOCAL(p) == upcr_cast(mine));
    SPMD_CHECK(UPCR_ISEQUAL_SHARED_SHARED(s, mine) && UPCR_ISEQUAL_SHARED_PSHARED(s, p));
    SPMD_CHECK(UPCR_ISEQUAL_PSHARED_PSHARED(p, p) && !UPCR_ISNULL_SHARED(s) && !UPCR_ISNULL_PSHARED(p));
    UPCR_SETNULL_SHARED(&null);
    UPCR_SETNULL_PSHARED(&pnull);
    SPMD_CHECK(UPCR_ISNULL_SHARED(null) && UPCR_ISNULL_PSHARED(pnull));
    SPMD_CHECK(!UPCR_ISEQUAL_SHARED_SHARED(s, null) && !UPCR_ISEQUAL_PSHARED_PSHARED(p, pnull));
    SPMD_EQ(UPCR_SUB_SHARED(UPCR_ADD_SHARED(s, 4, 9, 5), s, 4, 5), 9);
    SPMD_EQ(UPCR_PHASEOF_SHARED(UPCR_ADD_SHARED(s, 4, 9, 5)), 2);
    SPMD_EQ(UPCR_SUB_PSHAREDI(UPCR_ADD_PSHAREDI(p, 4, 9), p, 4), 9);
    SPMD_EQ(UPCR_ADDRFIELD_PSHARED(UPCR_ADD_PSHAREDI(p, 4, 9)), UPCR_ADDRFIELD_PSHARED(p) + 36);
    SPMD_EQ(UPCR_SUB_PSHARED1(UPCR_ADD_PSHARED1(p, 4, 9), p, 4), 9);
    SPMD_EQ(UPCR_THREADOF_PSHARED(UPCR_ADD_PSHARED1(p, 4, 9)), (me + 9) % upcr_threads());
}

static void heap_and_locks(void) {
    upcr_shared_ptr_t p = UPCR_ALLOC(100), q = UPCR_LOCAL_ALLOC(3, 20), lock, own;
    SPMD_EQ(upcr_threadof_shared(p), upcr_mythread());
    SPMD_EQ(upcr_threadof_shared(q), upcr_mythread());
    upcr_put_shared_val(q, 48, 9, 8);
    UPCR_FREE(p);
    UPCR_FREE(q);
    p = UPCR_GLOBAL_ALLOC(upcr_threads(), 8);
    SPMD_EQ(upcr_threadof_shared(p), 0);
    upcr_put_shared_val(spmd_part(p, upcr_threads() - 1, 0), 0, 71, 8);
    SPMD_EQ(upcr_get_shared_val(spmd_part(p, upcr_threads() - 1, 0), 0, 8), 71);
    UPCR_FREE(p);
    p = UPCR_ALL_ALLOC(1, 8);
    if (upcr_mythread() == 0) upcr_put_shared_val(p, 0, 0, 8);
    lock = UPCR_ALL_LOCK_ALLOC();
    own = UPCR_GLOBAL_LOCK_ALLOC();
    SPMD_EQ(UPCR_LOCK_ATTEMPT(own), 1);
    UPCR_UNLOCK(own);
    UPCR_LOCK_FREE(own);
    spmd_barrier();
    for (int i = 0; i < 5; ++i) {
        UPCR_LOCK(lock);
        upcr_put_shared_val(p, 0, upcr_get_shared_val(p, 0, 8) + 1, 8);
        UPCR_UNLOCK(lock);
    }
    spmd_barrier();
    SPMD_EQ(upcr_get_shared_val(p, 0, 8), 5 * upcr_threads());
    spmd_barrier();
    if (upcr_mythread() == 0) UPCR_LOCK_FREE(lock);
    if (upcr_mythread() == 0) UPCR_FREE(p);
}

static void run(void) {
    const upcr_shared_ptr_t all = spmd_alloc(kBytes);
    SPMD_EQ(MYTHREAD, (int)upcr_mythread());
    SPMD_EQ(THREADS, (int)upcr_threads());
    there = spmd_part(all, (upcr_mythread() + 1) % upcr_threads(), 0);
    pthere = upcr_shared_to_pshared(there);
    puts_and_gets();
    values();
    explicit_handles();
    strict_handles();
    implicit();
    bulk();
    pointers(spmd_part(all, upcr_mythread(), 0));
    heap_and_locks();
    SPMD_CHECK(
        upcr_isequal_shared_shared(upcr_add_shared_ptr(there, 4, 2, 8), upcr_add_shared(there, 4, 2, 8)));
}
SPMD_MAIN(run)
