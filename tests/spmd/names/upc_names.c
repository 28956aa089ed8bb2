/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC's own names and the older ones of the same things, as translators leave them in C: each is called and
 * does what its upcr_ function does, which is tested in general under that name. */
#include "tests/spmd/spmd.h"

static __thread upcr_shared_ptr_t all, there; /* 256 bytes of every thread; the neighbour's */

static upcr_shared_ptr_t at(upcr_thread_t thread, size_t byte) { return spmd_part(all, thread, byte); }

static void pointers(void) {
    const upcr_shared_ptr_t p =
        upcri_make_shared(upcr_addrfield_shared(there), upcr_threadof_shared(there), 5);
    char text[BUPC_DUMP_MIN_LENGTH], same[BUPC_DUMP_MIN_LENGTH];
    SPMD_CHECK(sizeof upc_threadof(p) == sizeof(size_t) && sizeof upc_phaseof(p) == sizeof(size_t));
    SPMD_EQ(upc_threadof(p), upcr_threadof_shared(there));
    SPMD_EQ(upc_phaseof(p), 5);
    SPMD_EQ(upc_addrfield(p), upcr_addrfield_shared(there));
    SPMD_EQ(upc_phaseof(upc_resetphase(p)), 0);
    SPMD_EQ(upc_threadof(upc_resetphase(p)), upc_threadof(p));
    for (size_t t = 0; t < upcr_threads(); ++t)
        SPMD_EQ(upc_affinitysize(100, 7, t), upcr_affinitysize(100, 7, (upcr_thread_t)t));
    SPMD_EQ(upc_affinitysize(100, 0, 0), 100);
    SPMD_EQ(bupc_dump_shared(p, text, (int)sizeof text), 0);
    SPMD_EQ(upc_dump_shared(p, same, (int)sizeof same), 0);
    SPMD_CHECK(strcmp(text, same) == 0 && strstr(text, "phase=5") != NULL);
    SPMD_CHECK(
        upcr_isequal_shared_shared(bupc_ptradd(at(0, 0), 4, 8, 6), upcr_add_shared(at(0, 0), 8, 6, 4)));
    SPMD_EQ(upcr_phaseof_shared(bupc_ptradd(at(0, 0), 4, 8, 6)), 2);
}

/* From addresses of shared memory back to pointers, in each form. */
static void local_pointers(void) {
    const upcr_thread_t me = upcr_mythread();
    const upcr_shared_ptr_t mine = at(me, 24);
    char *const address = (char *)upcr_shared_to_local(mine);
    upcr_shared_ptr_t s;
    upcr_pshared_ptr_t p;
    int private_object;
    SPMD_CHECK(upcr_isequal_shared_shared(upcr_local_to_shared(address), mine));
    upcr_local_to_shared_ref(address, &s);
    SPMD_CHECK(upcr_isequal_shared_shared(s, mine));
    SPMD_CHECK(upcr_isequal_pshared_shared(upcr_local_to_pshared(address), mine));
    upcr_local_to_pshared_ref(address, &p);
    SPMD_CHECK(upcr_isequal_pshared_shared(p, mine) && upcr_isequal_pshared_local(p, address));
    SPMD_CHECK(!upcr_isequal_pshared_local(p, address + 1) && !upcr_isequal_pshared_local(p, NULL));
    SPMD_CHECK(upcr_isequal_pshared_local(upcr_null_pshared, NULL));
    upcr_local_to_shared_ref_withphase(address, 3, me, &s);
    SPMD_CHECK(upcr_isequal_shared_shared(s, mine));
    SPMD_EQ(upcr_phaseof_shared(s), 3);
    s = bupc_local_to_shared(address, (int)me, 2);
    SPMD_CHECK(upcr_isequal_shared_shared(s, mine));
    SPMD_EQ(upcr_phaseof_shared(s), 2);
    SPMD_CHECK(upcr_isequal_shared_shared(_bupc_inverse_cast(address), mine));
    SPMD_CHECK(upcr_isequal_shared_shared(bupc_inverse_cast(address), mine));
    SPMD_CHECK(upcr_isnull_shared(bupc_inverse_cast(&private_object)));
    /* A neighbour's memory, where it is mapped here. */
    if (upc_cast(there) != NULL)
        SPMD_CHECK(upcr_isequal_shared_shared(bupc_inverse_cast(upc_cast(there)), there));
    SPMD_CHECK(upc_cast(mine) == (void *)address && upc_cast(upcr_null_shared) == NULL);
    SPMD_EQ(upc_thread_info(me).guaranteedCastable, UPC_CASTABLE_ALL);
    SPMD_EQ(upc_thread_info(upcr_threadof_shared(there)).probablyCastable,
            bupc_thread_castable(upcr_threadof_shared(there)) ? UPC_CASTABLE_ALL : 0);
}

static void heap(void) {
    const upcr_thread_t me = upcr_mythread();
    upcr_shared_ptr_t p = upc_alloc(64), q = upc_local_alloc(4, 16), g = upc_global_alloc(upcr_threads(), 16),
                      a;
    SPMD_EQ(upc_threadof(p), me);
    SPMD_EQ(upc_threadof(q), me);
    SPMD_EQ(upc_threadof(g), 0);
    upc_memset(spmd_part(g, upcr_threads() - 1, 0), 7, 16);
    SPMD_EQ(upcr_get_shared_val(spmd_part(g, upcr_threads() - 1, 15), 0, 1), 7);
    upc_free(p);
    upc_free(q);
    upc_free(g);
    a = upc_all_alloc(upcr_threads(), 16);
    upcr_put_shared_val(spmd_part(a, me, 8), 0, me, 8);
    spmd_barrier();
    SPMD_EQ(upcr_get_shared_val(spmd_part(a, upcr_threads() - 1, 8), 0, 8), upcr_threads() - 1);
    upc_all_free(a);
    bupc_all_free(upc_all_alloc(1, 100));
}

static void locks(void) {
    const upcr_shared_ptr_t lock = upc_all_lock_alloc(), own = upc_global_lock_alloc();
    SPMD_EQ(upc_lock_attempt(own), 1);
    upc_unlock(own);
    upc_lock_free(own);
    if (upcr_mythread() == 0) upcr_put_shared_val(all, 0, 0, 8);
    spmd_barrier();
    for (int i = 0; i < 5; ++i) {
        upc_lock(lock);
        upcr_put_shared_val(all, 0, upcr_get_shared_val(all, 0, 8) + 1, 8);
        upc_unlock(lock);
    }
    spmd_barrier();
    SPMD_EQ(upcr_get_shared_val(all, 0, 8), 5 * upcr_threads());
    upc_all_lock_free(lock);
    bupc_all_lock_free(upc_all_lock_alloc());
}

static void copies(void) {
    const upcr_shared_ptr_t second = upcr_add_shared(there, 1, 32, 256);
    char out[16] = "fifteen letters", in[16] = "";
    upc_handle_t h;
    upc_memput(there, out, 16);
    upc_memcpy(second, there, 16);
    upc_memget(in, second, 16);
    SPMD_CHECK(memcmp(in, out, 16) == 0);

    h = upc_memset_nb(there, 'a', 16);
    upc_sync(h);
    h = upc_memcpy_nb(second, there, 16);
    while (!upc_sync_attempt(h)) upc_poll();
    h = upc_memget_nb(in, second, 16);
    upc_sync(h);
    SPMD_CHECK(memcmp(in, "aaaaaaaaaaaaaaaa", 16) == 0);
    upc_sync(upc_memput_nb(there, out, 16));
    upc_sync(UPC_COMPLETE_HANDLE);

    upc_memcpy_nbi(second, there, 16);
    upc_synci();
    upc_memget_nbi(in, second, 16);
    while (!upc_synci_attempt()) bupc_poll();
    SPMD_CHECK(memcmp(in, out, 16) == 0);
    upc_memset_nbi(there, 'b', 8);
    upc_memput_nbi(second, "cccccccc", 8);
    upc_synci();
    SPMD_EQ(upcr_get_shared_val(there, 0, 8), UINT64_C(0x6262626262626262));
    SPMD_EQ(upcr_get_shared_val(second, 0, 8), UINT64_C(0x6363636363636363));
}

/* The output of the printing calls, one thread at a time. */
static void print(void) {
    const upcr_shared_ptr_t p =
        upcri_make_shared(upcr_addrfield_shared(there), upcr_threadof_shared(there), 5);
    char want[2 * BUPC_DUMP_MIN_LENGTH + 2], whole[BUPC_DUMP_MIN_LENGTH], phaseless[BUPC_DUMP_MIN_LENGTH],
        *got = NULL;
    size_t size = 0;
    SPMD_EQ(upcri_dump_shared(p, whole, (int)sizeof whole), 0);
    SPMD_EQ(_bupc_dump_shared(upcr_shared_resetphase(p), phaseless, (int)sizeof phaseless), 0);
    snprintf(want, sizeof want, "%s\n%s\n", whole, phaseless);
    for (upcr_thread_t t = 0; t < upcr_threads(); ++t) {
        spmd_barrier();
        if (t != upcr_mythread()) continue;
        FILE *const usual = stdout;
        stdout = open_memstream(&got, &size);
        upcri_print_shared(p);
        upcri_print_pshared(upcr_shared_to_pshared(p));
        fclose(stdout);
        stdout = usual;
        if (strcmp(got, want) != 0) SPMD_FAIL("printed '%s', not '%s'", got, want);
        free(got);
    }
    spmd_barrier();
}

/* An entry of older translators' lists of variables; the bounds of a section that this compiler does not make. */
UPCR_TRANSLATOR_TLD(int, upc_names_flag, 41)
static void variables(void) {
    SPMD_EQ(upc_names_flag, 41);
    SPMD_CHECK(UPCRL_shared_begin == NULL && UPCRL_shared_end == NULL);
}

static void ticks(void) {
    const upc_tick_t before = upc_ticks_now(), after = upc_ticks_now();
    SPMD_CHECK(after >= before && after - before < UPC_TICK_MAX - UPC_TICK_MIN);
    SPMD_EQ(upc_ticks_to_ns(1000), bupc_ticks_to_ns(1000));
}

static void run(void) {
    all = spmd_alloc(256);
    there = at((upcr_mythread() + 1) % upcr_threads(), 0);
    pointers();
    local_pointers();
    heap();
    copies();
    spmd_barrier();
    locks();
    ticks();
    variables();
    print();
    if (upcr_threads() == 1) upc_global_exit(0); /* and nothing after it runs */
}
SPMD_MAIN(run)
