/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heaplock_errors CASE: the last UPC thread makes the mistake that heaplock_errors.sh expects a message of, while
 * the others wait in a barrier. With HEAPLOCK_EARLY it is made before main().
 */
#include "tests/gupc/library/heaplock.h"

#include "upcr/gmem_heap.h"

EMIT_PROGRAM_INFO;

SHARED(long, variable, 1);
static upc_shared_ptr_t lock, object;

static void null_lock(void) { upc_lock(gupc_null()); }
static void null_attempt(void) { upc_lock_attempt(gupc_null()); }
static void null_unlock(void) { upc_unlock(gupc_null()); }
static void null_lock_g(void) { upc_lockg(gupc_null(), "null.upc", 61); }
static void null_attempt_g(void) { upc_lock_attemptg(gupc_null(), "null.upc", 62); }
static void null_unlock_g(void) { upc_unlockg(gupc_null(), "null.upc", 63); }

static void not_held(void) { upc_unlockg(lock, "held.upc", 64); }
static void twice(void) {
    upc_lock(lock);
    upc_lockg(lock, "twice.upc", 65);
}
static void freed_while_held(void) {
    upc_lock(lock);
    upc_lock_free(lock);
    upc_unlockg(lock, "freed.upc", 66);
}

static void free_twice(void) {
    upc_free(object);
    upc_freeg(object, "free.upc", 67);
}
static void free_inside(void) { upc_free(emit_add_bytes(object, 64)); }
static void free_variable(void) { upc_free(emit_at(variable, MYTHREAD)); }
static void free_lock(void) {
    upc_free(lock); /* fine */
    upc_free(lock);
}
static void free_object_as_lock(void) { upc_lock_freeg(object, "free.upc", 68); }
static void free_part(void) { upc_free(on_thread(upc_global_alloc(THREADS, 64), MYTHREAD)); }
static void free_no_thread(void) { upc_free(on_thread(object, THREADS)); }
static void lock_no_thread(void) { upc_lock(on_thread(lock, THREADS + 1)); }

/* The same by the names of the design. */
static int word;
static upcr_shared_ptr_t theirs(void) { return upcri_make_shared(4096, (upcr_thread_t)THREADS, 0); }
static void heap_of_another(void) { upcr_heap_alloc(upcr_local_heap[0], 0, upcr_heap_local_extend, 8); }
static void heap_not_global(void) {
    upcr_heap_alloc(upcr_local_heap[MYTHREAD], 1, upcr_heap_global_extend, 8);
}
static void broadcast_put(void) { upcr_broadcast_put(&word, sizeof word); }
static void word_of_three(void) { upcr_lock_put(upcr_global_heap, &word, 3); }
static void word_nowhere(void) { upcr_lock_cswap(upcr_null_shared, &word, &word, 4); }
static void word_no_thread(void) { upcr_lock_swap(theirs(), &word, &word, 4); }

static void alloc(void) { upc_alloc(8); }
static void global_alloc(void) { upc_global_allocg(8, 8, "early.upc", 1); }
static void lock_alloc(void) { upc_global_lock_alloc(); }

static const struct {
    const char *name;
    void (*make)(void);
} cases[] = {
#define CASE(name) \
    { #name, name }
    CASE(null_lock),        CASE(null_attempt),        CASE(null_unlock),     CASE(null_lock_g),
    CASE(null_attempt_g),   CASE(null_unlock_g),       CASE(not_held),        CASE(twice),
    CASE(freed_while_held), CASE(free_twice),          CASE(free_inside),     CASE(free_variable),
    CASE(free_lock),        CASE(free_object_as_lock), CASE(free_part),       CASE(free_no_thread),
    CASE(lock_no_thread),   CASE(heap_of_another),     CASE(heap_not_global), CASE(broadcast_put),
    CASE(word_of_three),    CASE(word_nowhere),        CASE(word_no_thread),  CASE(alloc),
    CASE(global_alloc),     CASE(lock_alloc),
};

static int make(const char *name) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (strcmp(cases[i].name, name) == 0) {
            cases[i].make();
            return 1;
        }
    return 0;
}

__attribute__((constructor)) static void early(void) {
    const char *name = getenv("HEAPLOCK_EARLY");
    if (name != NULL) make(name);
}

int main(int argc, char **argv) {
    if (MYTHREAD == THREADS - 1) {
        lock = upc_global_lock_alloc();
        object = upc_alloc(200);
        if (argc < 2 || !make(argv[1])) printf("there is no such case\n");
        printf("not noticed\n");
    }
    barrier_all();
    return 0;
}
