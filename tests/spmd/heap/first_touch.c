/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel gives a page of memory on the NUMA node of the CPU that touches it first. So nothing in the
 * runtime may touch the memory that a thread allocates: neither its start, nor an allocation by another
 * thread, nor zeroing. The kernel's page cache shows which pages of a segment are there (mincore); those that
 * the owner has touched are on the node that it runs on (move_pages).
 */
#define _GNU_SOURCE 1
#include "tests/spmd/spmd.h"
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { PAGES = 512, MAX_TRIES = 100 };

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* The whole pages of a thread's block of PAGES + 2 pages. */
static char *whole_pages(upcr_shared_ptr_t block) {
    const uintptr_t at = (uintptr_t)upcr_shared_to_local(block), page = page_bytes();
    return (char *)((at + page - 1) / page * page);
}

static unsigned pages_there(char *memory) {
    unsigned char there[PAGES];
    unsigned i, count = 0;
    if (mincore(memory, PAGES * page_bytes(), there) != 0) SPMD_FAIL("mincore: %s", strerror(errno));
    for (i = 0; i < PAGES; ++i) count += there[i] & 1;
    return count;
}

static int current_node(void) {
    unsigned cpu = 0, node = 0;
    return getcpu(&cpu, &node) == 0 ? (int)node : -1;
}

/* Touches the memory, and checks that its pages came from the node on which the thread ran meanwhile. */
static void touch(char *memory) {
    void *pages[PAGES];
    int nodes[PAGES], i, before, after, tries = 0;
    do {
        madvise(memory, PAGES * page_bytes(), MADV_REMOVE); /* of a try before */
        before = current_node();
        for (i = 0; i < PAGES; ++i) memory[(size_t)i * page_bytes()] = 1;
        after = current_node();
    } while (before != after && ++tries < MAX_TRIES);
    for (i = 0; i < PAGES; ++i) pages[i] = memory + (size_t)i * page_bytes();
    if (syscall(SYS_move_pages, 0, (unsigned long)PAGES, pages, NULL, nodes, 0) != 0) {
        if (errno != ENOSYS && errno != EPERM) SPMD_FAIL("move_pages: %s", strerror(errno)); /* containers */
        return;
    }
    for (i = 0; i < PAGES; ++i) SPMD_EQ(nodes[i], before);
}

static void check(upcr_shared_ptr_t block) {
    char *const mine = whole_pages(block);
    spmd_barrier();
    SPMD_EQ(pages_there(mine), 0); /* nobody has touched it, the allocation included */
    spmd_barrier();
    if (upcr_mythread() % 2 == 0) touch(mine);
    spmd_barrier();
    SPMD_EQ(pages_there(mine), upcr_mythread() % 2 == 0 ? PAGES : 0); /* and an owner touches its own alone */
    spmd_barrier();
}

/* The same pointer on all threads: thread 0's. */
static upcr_shared_ptr_t from_thread_0(upcr_shared_ptr_t pointer) {
    const upcr_shared_ptr_t box = spmd_alloc(sizeof pointer);
    if (upcr_mythread() == 0) upcr_put_shared(box, 0, &pointer, sizeof pointer);
    spmd_barrier();
    upcr_get_shared(&pointer, box, 0, sizeof pointer);
    return pointer;
}

static void run(void) {
    const size_t bytes = (PAGES + 2) * page_bytes();
    const upcr_thread_t me = upcr_mythread();
    upcr_shared_ptr_t all = upcr_all_alloc(upcr_threads(), bytes), of_one = upcr_null_shared;
    check(spmd_part(all, me, 0));
    check(upcr_alloc(bytes));
    if (me == 0) of_one = upcr_global_alloc(upcr_threads(), bytes);
    check(spmd_part(from_thread_0(of_one), me, 0));
}

SPMD_MAIN(run)
