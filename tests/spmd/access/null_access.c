/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses through a null pointer-to-shared in release builds: `null_access CASE THREAD`. UPC thread 0 of two
 * accesses element 2 (THREAD 0) or 3 (THREAD 1) behind null, as a program that forgot to allocate would: with
 * cyclic elements of 8 bytes that is offset 8 of that thread. THREAD 9 is
 * a pointer-to-shared that holds garbage: to a thread that does not exist. null_access.sh runs it.
 */
#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"

enum { kLarge = 200000 }; /* larger than any packet */
static char buffer[kLarge];
static upcr_shared_ptr_t null_element, object; /* `object`: kLarge bytes on the other thread */

static void put_value(void) { upcr_put_shared_val(null_element, 0, 1, 8); }
static void get_value(void) { buffer[0] = (char)upcr_get_shared_val(null_element, 0, 8); }
static void put(void) { upcr_put_shared(null_element, 0, buffer, 24); }
static void get(void) { upcr_get_shared(buffer, null_element, 0, 24); }
static void strict(void) { upcr_put_shared_val_strict(null_element, 0, 1, 4); }
static void memput(void) { upcr_memput(null_element, buffer, kLarge); }
static void memget(void) { upcr_memget(buffer, null_element, kLarge); }
static void memset_(void) { upcr_memset(null_element, 0, kLarge); }
static void copy_from(void) { upcr_memcpy(object, null_element, kLarge); }
static void copy_to(void) { upcr_memcpy(null_element, object, kLarge); }
static void copy_small(void) { upcr_memcpy(object, null_element, 16); }
static void nonblocking(void) { upcr_wait_syncnb(upcr_nb_memput(null_element, buffer, 16)); }
static void strided(void) { bupc_memput_fstrided(null_element, 8, 16, 4, buffer, 8, 16, 4); }
static void atomic(void) { (void)bupc_atomicI64_fetchadd_relaxed(null_element, 1); }

static const struct spmd_case cases[] = {
    CASE(put_value),  CASE(get_value),   CASE(put),     CASE(get),       CASE(strict),
    CASE(memput),     CASE(memget),      CASE(memset_), CASE(copy_from), CASE(copy_to),
    CASE(copy_small), CASE(nonblocking), CASE(strided), CASE(atomic)};

static int run_chosen_case(int argc, char **argv) {
    const upcr_shared_ptr_t all = upcr_all_alloc(2, kLarge);
    if (argc < 3 || upcr_threads() != 2) return 97;
    if (upcr_mythread() == 0) {
        const int thread = atoi(argv[2]);
        null_element = thread < 2 ? upcr_add_shared(upcr_null_shared, 8, 2 + thread, 1)
                                  : upcri_make_shared(1 << 20, (upcr_thread_t)thread, 0);
        object = upcr_add_shared(all, kLarge, 1, 1);
    }
    spmd_barrier();
    const struct spmd_case *const found = spmd_find_case(CASES(cases), argc, argv);
    if (found == NULL) return SPMD_NO_CASE;
    if (upcr_mythread() == 0) found->run();
    spmd_barrier();
    return 0;
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_chosen_case); }
