/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One misuse of heap or locks per run, by its name: the job must end with an error that describes it.
 * Exits with 0 only if the misuse was not detected.
 */
#include <string.h>
#include <upcr/gmem_lock.h>

#include "tests/spmd/spmd.h"

static upcr_shared_ptr_t table; /* shared [4] int table[2 * 4 * THREADS]; */

static int is(const char *name, char **argv) { return strcmp(argv[1], name) == 0; }

int user_main(int argc, char **argv) {
    const upcr_thread_t me = upcr_mythread(), threads = upcr_threads(), last = threads - 1;
    upcr_shared_ptr_t local, global, single, lock;
    /* Behind the last byte that a pointer-to-shared can address, in the default layouts. */
    const size_t reach = (size_t)1 << (UPCRI_ADDR_BITS < 40 ? UPCRI_ADDR_BITS : 40);
    upcr_startup_shalloc_t table_info = {&table, 16, 2, 1, 4, "table", "A8H_R4_i"};
    size_t i;
    if (argc != 2) return 2;
    global = upcr_all_alloc(2 * threads, 1000);
    single = upcr_all_alloc(1, 5000);
    lock = upcr_all_lock_alloc();
    local = upcr_alloc(3000);
    upcr_startup_shalloc(&table_info, 1);
    spmd_barrier();
    if (is("unlock_other", argv) && me == 0) upcr_lock(lock);
    spmd_barrier();
    if (is("free_while_waiting", argv)) {
        if (me == 0) {
            const upcr_register_value_t free_tail = upcr_get_shared_val(lock, 0, 8);
            upcr_register_value_t held_tail;
            upcr_lock(lock);
            held_tail = upcr_get_shared_val(lock, 0, 8);
            SPMD_CHECK(held_tail != free_tail);
            spmd_barrier();
            while (upcr_get_shared_val(lock, 0, 8) == held_tail) upcr_poll();
            upcr_lock_free(lock);
        } else {
            spmd_barrier();
            upcr_lock(lock);
        }
        spmd_barrier();
        return 0;
    }
    if (is("free_at_first_wait", argv)) {
        /* Thread 0, which holds the lock, frees it when the last thread has joined the queue but does not
     * wait yet: its node is written before. */
        uint64_t freed = 2;
        upcr_lock_ref_t link = 0;
        if (me == last) {
            upcr_lock(lock);
            link = upcr_get_shared_val(lock, offsetof(upcr_lock_t, last), 8);
            upcr_unlock(lock);
        }
        spmd_barrier();
        if (me == 0) upcr_lock(lock);
        spmd_barrier();
        if (me == last) {
            const upcr_shared_ptr_t l = upcr_lock_ref_to_shared(link);
            upcr_lock_put(spmd_part(l, me, offsetof(upcr_lock_link_t, signal)), &freed, 8);
            upcr_lock(lock);
        }
        spmd_barrier();
        return 0;
    }
    /* The last thread's arguments are others. */
    if (is("all_alloc_differs", argv)) upcr_all_alloc(me == last ? 6 : 5, 10); /* HERE: all_alloc_differs */
    if (is("all_alloc_of_nothing", argv))
        upcr_all_alloc(5, me == last ? 0 : 10); /* HERE: all_alloc_of_nothing */
    if (me == last) {
        if (is("double_free", argv)) {
            upcr_free(local);
            upcr_free(local);
        } else if (is("double_free_global", argv)) {
            upcr_free(global);
            upcr_free(global);
        } else if (is("double_free_merged", argv)) {
            upcr_shared_ptr_t a = upcr_alloc(64), b = upcr_alloc(64), c = upcr_alloc(64);
            upcr_free(a);
            upcr_free(b);
            upcr_free(c);
            upcr_free(b);
        } else if (is("interior", argv)) {
            upcr_free(spmd_part(local, upcr_threadof_shared(local), 128));
        } else if (is("interior_unaligned", argv)) {
            upcr_free(spmd_part(single, 0, 4));
        } else if (is("later_part", argv)) {
            upcr_free(spmd_part(global, last, 0));
        } else if (is("free_of_static", argv)) {
            upcr_free(table); /* HERE: free_of_static */
        } else if (is("kept_static", argv)) {
            upcr_shared_ptr_t next;
            upcr_free(table);
            next = upcr_global_alloc(2 * threads, 16); /* not the table's memory */
            if (upcr_addrfield_shared(next) != upcr_addrfield_shared(table))
                upcr_free(spmd_part(table, 0, 4));
        } else if (is("runtime_page", argv)) {
            upcr_free(upcri_make_shared(4096 + 128, last, 0));
        } else if (is("between_heaps", argv)) {
            struct upcr_heap_info info;
            upcr_heap_info(last, &info);
            upcr_free(upcri_make_shared((info.local_end + info.global_begin) / 2 / 64 * 64, last, 0));
        } else if (is("past_end", argv)) {
            upcr_free(upcri_make_shared((uintptr_t)1 << 33, last, 0));
        } else if (is("no_thread", argv)) {
            upcr_free(upcri_make_shared(8192, threads + 1, 0));
        } else if (is("free_of_lock", argv)) {
            upcr_free(lock); /* fine: frees it */
            upcr_free(lock);
        } else if (is("free_in_lock", argv)) {
            upcr_free(spmd_part(lock, upcr_threadof_shared(lock), 8));
        } else if (is("lock_free_of_data", argv)) {
            upcr_lock_free(local);
        } else if (is("lock_free_twice", argv)) {
            upcr_lock_free(lock);
            upcr_lock_free(lock);
        } else if (is("unlock_free_lock", argv)) {
            upcr_unlock(lock);
        } else if (is("unlock_other", argv)) {
            upcr_unlock(lock);
        } else if (is("relock_without_place",
                      argv)) { /* the cache was full when it was locked, and is empty now */
            upcr_shared_ptr_t many[300];
            for (i = 0; i < 300; ++i) upcr_lock(many[i] = upcr_global_lock_alloc());
            upcr_lock(lock);
            for (i = 0; i < 300; ++i) upcr_unlock(many[i]);
            upcr_lock(lock);
        } else if (is("relock", argv)) {
            upcr_lock(lock);
            upcr_lock(lock);
        } else if (is("unlock_freed", argv)) {
            upcr_lock(lock);
            upcr_lock_free(lock);
            upcr_unlock(lock);
        } else if (is("lock_of_data", argv)) {
            upcr_memset(local, 0x5a, 3000);
            upcr_lock(local);
        } else if (is("lock_null", argv)) {
            upcr_lock(upcr_null_shared);
        } else if (is("lock_freed", argv)) {
            upcr_lock_free(lock);
            upcr_lock(lock);
        } else if (is("exhaust_local", argv)) {
            for (i = 0; i < 1000; ++i) (void)upcr_alloc(100000);
        } else if (is("exhaust_global", argv)) {
            for (i = 0; i < 1000; ++i) (void)upcr_global_alloc(2 * threads, 50000);
        } else if (is("huge", argv)) {
            (void)upcr_alloc((size_t)1 << 40);
        } else if (is("large", argv)) { /* a segment has room for one of these at most */
            (void)upcr_alloc(reach / 2);
            (void)upcr_alloc(reach / 2);
        } else if (is("last_page", argv)) { /* the last that a pointer can address, which no segment has */
            (void)upcr_alloc(reach - 1);
        } else if (is("huge_global", argv)) {
            (void)upcr_global_alloc((size_t)1 << 40, 1000);
        } else if (is("overflow", argv)) {
            (void)upcr_global_alloc((size_t)1 << 40, (size_t)1 << 30);
        } else {
            fprintf(stderr, "no test named %s\n", argv[1]);
            return 0;
        }
    }
    spmd_barrier();
    return 0;
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, &user_main);
    return 1;
}
