/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upcr_volume BYTES: every thread allocates BYTES of shared memory (0: the largest object that its heap has room
 * for), marks every page of it, and the thread before it reads all marks. Thread 0 prints one line of JSON:
 * threads, processes, bytes in all, and how many threads read the right marks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upcr.h>

enum { PAGE = 4096 };

struct entry { /* of a thread, in the directory */
    upcr_shared_ptr_t block;
    size_t bytes;
    int right;
};

static upcr_shared_ptr_t directory;

static upcr_shared_ptr_t entry_of(upcr_thread_t thread) {
    return upcr_add_shared(directory, sizeof(struct entry), thread, 1);
}

static unsigned long mark_of(upcr_thread_t thread, size_t offset) {
    return (offset + 1) * 0x9e3779b97f4a7c15ul + thread;
}

/* Two words of each page: its first and its last. */
static void mark(char *block, size_t bytes) {
    size_t at;
    for (at = 0; at < bytes; at += PAGE) {
        *(unsigned long *)(block + at) = mark_of(upcr_mythread(), at);
        *(unsigned long *)(block + at + PAGE - 8) = mark_of(upcr_mythread(), at + PAGE - 8);
    }
}

static int check(upcr_thread_t owner) {
    struct entry e;
    size_t at;
    upcr_memget(&e, entry_of(owner), sizeof e);
    for (at = 0; at < e.bytes; at += PAGE)
        if (upcr_get_shared_val(e.block, (ptrdiff_t)at, 8) != mark_of(owner, at) ||
            upcr_get_shared_val(e.block, (ptrdiff_t)at + PAGE - 8, 8) != mark_of(owner, at + PAGE - 8)) {
            fprintf(stderr, "thread %u: page at %zu of thread %u is not what was written\n",
                    (unsigned)upcr_mythread(), at, (unsigned)owner);
            return 0;
        }
    return e.bytes > 0;
}

static int report(void) {
    unsigned right = 0;
    size_t bytes = 0;
    upcr_thread_t i;
    for (i = 0; i < upcr_threads(); i++) {
        struct entry e;
        upcr_memget(&e, entry_of(i), sizeof e);
        right += (unsigned)e.right;
        bytes += e.bytes;
    }
    printf("{\"threads\": %u, \"processes\": %u, \"bytes\": %zu, \"right\": %u}\n", (unsigned)upcr_threads(),
           (unsigned)upcr_nodes(), bytes, right);
    return right == upcr_threads() ? 0 : 1;
}

static int run(int argc, char **argv) {
    struct upcr_heap_info heap;
    struct entry mine;
    const upcr_thread_t me = upcr_mythread();

    directory = upcr_all_alloc(upcr_threads(), sizeof(struct entry));
    upcr_heap_info(me, &heap);
    mine.bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (mine.bytes == 0 || mine.bytes > heap.local_largest) mine.bytes = heap.local_largest;
    mine.bytes = mine.bytes / PAGE * PAGE;
    mine.block = upcr_alloc(mine.bytes);
    mine.right = 0;
    mark(upcr_shared_to_local(mine.block), mine.bytes);
    upcr_memput(entry_of(me), &mine, sizeof mine);
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);

    mine.right = check((me + 1) % upcr_threads());
    upcr_put_shared_val(entry_of(me), offsetof(struct entry, right), (upcr_register_value_t)mine.right,
                        sizeof mine.right);
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    return me == 0 ? report() : 0;
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, run);
    return 1; /* not reached */
}
