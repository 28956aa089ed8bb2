/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors that debug builds must report: misuse.sh runs each case by name and expects the message and this
 * file's line with the mark "HERE: case".
 */
#include <pthread.h>

#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"

static upcr_shared_ptr_t p;  /* the neighbour's memory, one page */
static upcr_handle_t passed; /* from one thread of a process to another */

static void null_pointer(void) { upcr_put_shared_val(upcr_null_shared, 8, 1, 8); /* HERE: null_pointer */ }
static void no_thread(void) {
    const upcr_shared_ptr_t q = upcri_make_shared(upcr_addrfield_shared(p), upcr_threads() + 3, 0);
    upcr_get_shared_val(q, 0, 4); /* HERE: no_thread */
}
static void beyond(void) {
    int x = 1;
    upcr_put_shared(upcri_make_shared(upcri_window.segment_bytes - 2, 0, 0), 0, &x, 4); /* HERE: beyond */
}
static void runtime_page(void) {
    char x[8];
    upcr_memget(x, upcri_make_shared(4096 + 128, 0, 0), 8); /* HERE: runtime_page */
}
static void null_page(void) {
    char x[8];
    upcr_memget(x, upcri_make_shared(128, 0, 0), 8); /* HERE: null_page */
}
static void before(void) {
    float f = upcr_get_shared_floatval(p, -(ptrdiff_t)upcr_addrfield_shared(p) - 4096); /* HERE: before */
    (void)f;
}
static void no_bytes(void) { (void)upcr_get_shared_val(p, 0, 0); /* HERE: no_bytes */ }
static void too_many_bytes(void) { upcr_put_shared_val_strict(p, 0, 1, 9); /* HERE: too_many_bytes */ }
static void misaligned(void) { upcr_put_shared_doubleval(p, 4, 1.0); /* HERE: misaligned */ }
static void private_null(void) { upcr_memput(p, NULL, 16); /* HERE: private_null */ }
static void bulk_beyond(void) {
    upcr_memcpy(p, upcri_make_shared(8192, 0, 0), (size_t)1 << 40); /* HERE: bulk_beyond */
}
static void not_mine(void) { (void)upcr_shared_to_local(p); /* HERE: not_mine */ }
static void unrelated(void) {
    const upcr_shared_ptr_t q = upcri_make_shared(upcr_addrfield_shared(p) + 1, 0, 0);
    (void)upcr_sub_shared(p, q, 8, 4); /* HERE: unrelated */
}
static void twice(void) {
    int x;
    upcr_handle_t h = upcr_get_nb_shared(&x, p, 0, 4); /* HERE: twice */
    upcr_wait_syncnb(h);
    upcr_wait_syncnb(h);
}
static void twice_later(void) {
    int x;
    upcr_handle_t h = upcr_nb_memget(&x, p, 4), other; /* HERE: twice_later */
    upcr_wait_syncnb(h);
    other = upcr_nb_memget(&x, p, 4); /* reuses it */
    (void)other;
    upcr_waitsync(h);
}
static void twice_value(void) {
    upcr_valget_handle_t h = upcr_get_nb_shared_val(p, 0, 4); /* HERE: twice_value */
    (void)upcr_wait_syncnb_valget(h);
    (void)upcr_wait_syncnb_valget(h);
}
static void twice_async(void) {
    int x = 1;
    bupc_handle_t h = bupc_memput_async(p, &x, 4); /* HERE: twice_async */
    bupc_handle_t again[2] = {BUPC_COMPLETE_HANDLE, h};
    upc_sync(h);
    bupc_waitsync_all(again, 2);
}
static void async_null(void) { upc_memcpy_nbi(p, upcr_null_shared, 16); /* HERE: async_null */ }
static void never(void) {
    int x = 1;
    (void)upcr_put_nb_shared(p, 0, &x, 4); /* HERE: never */
}
static void never_implicit(void) { upcr_put_nbi_shared_val(p, 0, 1, 4); /* HERE: never_implicit */ }
static void foreign(void) {
    if (upcr_mythread() == 0) {
        int x = 1;
        passed = upcr_put_nb_shared(p, 0, &x, 4); /* HERE: foreign */
    }
    spmd_barrier();
    if (upcr_mythread() == 1) upcr_wait_syncnb(passed);
}
static void foreign_process(void) {
    const upcr_shared_ptr_t mailbox = upcri_make_shared(upcr_addrfield_shared(p), 0, 0);
    if (upcr_mythread() == 0)
        upcr_put_shared_val(mailbox, 0, (uintptr_t)upcr_put_nb_shared_val(p, 8, 1, 4), 8);
    spmd_barrier();
    if (upcr_mythread() == 1)
        upcr_wait_syncnb(
            (upcr_handle_t)(uintptr_t)upcr_get_shared_val(mailbox, 0, 8)); /* HERE: foreign_process */
}
static void strict_two(void) {
    (void)upcr_put_nb_shared_val_strict(p, 0, 1, 8); /* HERE: strict_two */
    (void)upcr_put_nb_shared_val_strict(p, 8, 1, 8);
}
static void strict_relaxed(void) {
    (void)upcr_put_nb_shared_val_strict(p, 0, 1, 8); /* HERE: strict_relaxed */
    (void)upcr_get_shared_val(p, 0, 8);
}
static void strict_over_nb(void) {
    upcr_handle_t h = upcr_put_nb_shared_val(p, 0, 1, 8);
    upcr_put_shared_val_strict(p, 8, 1, 8); /* HERE: strict_over_nb */
    upcr_wait_syncnb(h);
}
static void strict_over_nbi(void) {
    upcr_put_nbi_shared_val(p, 0, 1, 8);
    (void)upcr_get_shared_val_strict(p, 8, 8); /* HERE: strict_over_nbi */
}
static void strict_wrong_sync(void) {
    upcr_handle_t h = upcr_put_nb_shared_val_strict(p, 0, 1, 8); /* HERE: strict_wrong_sync */
    upcr_wait_syncnb(h);
}
static void nested_region(void) {
    upcr_begin_nbi_accessregion(); /* HERE: nested_region */
    upcr_begin_nbi_accessregion();
}
static void sync_in_region(void) {
    upcr_begin_nbi_accessregion(); /* HERE: sync_in_region */
    upcr_wait_syncnbi_puts();
}
static void synci_in_region(void) {
    bupc_begin_accessregion(); /* HERE: synci_in_region */
    bupc_waitsynci();
}
static void region_without_begin(void) { (void)upcr_end_nbi_accessregion(); /* HERE: region_without_begin */ }
static void notify_twice(void) {
    upcr_notify(1, 0);
    upcr_notify(2, 0); /* HERE: notify_twice */
}
static void wait_first(void) { upcr_wait(1, 0); /* HERE: wait_first */ }
static void try_first(void) { (void)upcr_try_wait(1, 0); /* HERE: try_first */ }
static void barrier_inside(void) {
    upcr_notify(1, 0);
    upcr_barrier(1, 0); /* HERE: barrier_inside */
}
static void distance_of_nobody(void) { (void)bupc_thread_distance(0, 7); /* HERE: distance_of_nobody */ }
static void castable_nobody(void) { (void)bupc_thread_castable(9); /* HERE: castable_nobody */ }
static void added_too_far(void) {
    (void)upcr_add_psharedI(upcr_shared_to_pshared(p), 1, PTRDIFF_MAX); /* HERE: added_too_far */
}
static void not_shared(void) {
    int x;
    (void)upcr_local_to_shared(&x); /* HERE: not_shared */
}
static void *other_thread_body(void *unused) {
    upcr_put_shared_val(p, 0, 1, 8);
    return unused;
}
static void other_thread(void) {
    pthread_t t;
    if (pthread_create(&t, NULL, other_thread_body, NULL) == 0) pthread_join(t, NULL);
}

/* Not misuse: bulk operations may stay in flight across strict accesses, and an orderly end reports
 * nothing. */
static void fine(void) {
    char x[16] = "hello";
    upcr_handle_t h = upcr_nb_memput(p, x, sizeof x);
    upcr_nbi_memset(p, 1, 0);
    upcr_put_shared_val_strict(p, 64, 1, 8);
    SPMD_EQ(upcr_get_shared_val_strict(p, 64, 8), 1);
    upcr_wait_syncnbi_all();
    upcr_wait_syncnb(h);
}

static const struct spmd_case cases[] = {
    CASE(null_pointer),
    CASE(no_thread),
    CASE(beyond),
    CASE(runtime_page),
    CASE(null_page),
    CASE(before),
    CASE(no_bytes),
    CASE(too_many_bytes),
    CASE(misaligned),
    CASE(private_null),
    CASE(bulk_beyond),
    CASE(not_mine),
    CASE(unrelated),
    CASE(twice),
    CASE(twice_later),
    CASE(twice_value),
    CASE(twice_async),
    CASE(async_null),
    CASE(never),
    CASE(never_implicit),
    CASE(foreign),
    CASE(foreign_process),
    CASE(strict_two),
    CASE(strict_relaxed),
    CASE(strict_over_nb),
    CASE(strict_over_nbi),
    CASE(strict_wrong_sync),
    CASE(nested_region),
    CASE(sync_in_region),
    CASE(synci_in_region),
    CASE(region_without_begin),
    CASE(notify_twice),
    CASE(wait_first),
    CASE(try_first),
    CASE(barrier_inside),
    CASE(distance_of_nobody),
    CASE(castable_nobody),
    CASE(added_too_far),
    CASE(not_shared),
    CASE(other_thread),
    CASE(fine),
};

static int run_chosen_case(int argc, char **argv) {
    const upcr_shared_ptr_t all = spmd_alloc(4096);
    const upcr_thread_t me = upcr_mythread();
    const upcr_shared_ptr_t neighbour = spmd_part(all, 1 - me, 0);
    if (upcri_mypthread() == 0) p = neighbour;
    spmd_barrier();
    const struct spmd_case *const found = spmd_find_case(CASES(cases), argc, argv);
    if (found == NULL) return SPMD_NO_CASE;
    /* One thread is enough, except for cases of two. */
    if (me == 0 || strncmp(found->name, "foreign", 7) == 0) found->run();
    spmd_barrier();
    return 0;
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_chosen_case); }
