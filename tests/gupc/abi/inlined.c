/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the object that inlined_asm.S is: accesses that compilers have inlined, and that read libupc's page
 * cache. By argument: all (memory of all threads is mapped), own (the thread's own memory only), or a mistake.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* As a compiler declares them to itself. */
#ifdef __UPC_PTS_STRUCT_REP__
typedef struct {
    uint64_t vaddr;
    uint32_t thread, phase;
} P;
static const P null = {0, 0, 0};
extern char inlined_cells[];
static P pointer(int thread) { return (P){(uintptr_t)inlined_cells, (uint32_t)thread, 0}; }
#else
typedef uint64_t P;
static const P null = 0;
extern char inlined_cells[], __upc_shared_start[];
static P pointer(int thread) { return (P)(inlined_cells - __upc_shared_start) << 30 | (P)thread << 20; }
#endif
#ifdef __UPC_PTHREADS_MODEL_TLS__
extern __thread const int MYTHREAD;
#else
extern const int MYTHREAD;
#endif
extern const int THREADS;
void __upc_barrier(int);
void __putdi2(P, uint64_t);
void __putsdi2(P, uint64_t);
uint64_t __getdi2(P);
uint64_t __getsdi2(P);
void *__getaddr(P);
void *__upc_vm_map_addr(P);

long inlined_get(int thread);
void inlined_put(int thread, long value);
long inlined_get_strict(int thread);
void inlined_put_strict(int thread, long value);
long inlined_get_at(P p);

static int failures;
#define CHECK(condition)                                                                           \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            __atomic_store_n(&failures, 1, __ATOMIC_RELAXED);                                      \
            fprintf(stderr, "%s:%d: thread %d of %d: %s\n", __FILE__, __LINE__, MYTHREAD, THREADS, \
                    #condition);                                                                   \
        }                                                                                          \
    while (0)

static void access_own(void) {
    inlined_put(MYTHREAD, 40 + MYTHREAD);
    CHECK(inlined_get(MYTHREAD) == 40 + MYTHREAD && *(long *)__getaddr(pointer(MYTHREAD)) == 40 + MYTHREAD);
    inlined_put_strict(MYTHREAD, 50 + MYTHREAD);
    CHECK(inlined_get_strict(MYTHREAD) == 50 + MYTHREAD &&
          inlined_get_at(pointer(MYTHREAD)) == 50 + MYTHREAD);
    CHECK(__upc_vm_map_addr(pointer(MYTHREAD)) == __getaddr(pointer(MYTHREAD)));
    __upc_barrier(1);
    /* Inlined accesses see values that others put by calls, and the other way round. */
    __putdi2(pointer((MYTHREAD + 1) % THREADS), 60u + (uint64_t)MYTHREAD);
    __upc_barrier(2);
    CHECK(inlined_get(MYTHREAD) == 60 + (MYTHREAD + THREADS - 1) % THREADS);
    __upc_barrier(3);
    inlined_put_strict(MYTHREAD, 70 + MYTHREAD);
    __upc_barrier(4);
    CHECK(__getsdi2(pointer((MYTHREAD + 1) % THREADS)) == 70u + (uint64_t)(MYTHREAD + 1) % (uint64_t)THREADS);
    __upc_barrier(5);
}

/* Thread 1 waits in a loop of inlined accesses for what thread 0 puts by a call: the network is served. */
static void wait_for_others(void) {
    inlined_put_strict(MYTHREAD, 0);
    __upc_barrier(6);
    if (MYTHREAD == 0) __putsdi2(pointer(1), 7);
    if (MYTHREAD == 1)
        while (inlined_get_strict(1) != 7) continue;
    __upc_barrier(7);
}

static void access_all(void) {
    const int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    inlined_put(right, 100 + MYTHREAD);
    __upc_barrier(8);
    for (int t = 0; t < THREADS; ++t) CHECK(inlined_get(t) == 100 + (t + THREADS - 1) % THREADS);
    __upc_barrier(9);
    inlined_put_strict(left, 200 + MYTHREAD);
    __upc_barrier(10);
    for (int t = 0; t < THREADS; ++t) CHECK(inlined_get_strict(t) == 200 + (t + 1) % THREADS);
    __upc_barrier(11);
}

int upc_main(int argc, char **argv) {
    const char *const which = argc > 1 ? argv[1] : "all";
    access_own();
    if (THREADS > 1) wait_for_others();
    if (strcmp(which, "all") == 0) access_all();
    if (MYTHREAD == 0) {
        if (strcmp(which, "null") == 0) inlined_get_at(null);
        if (strcmp(which, "thread") == 0) inlined_get(THREADS);
        if (strcmp(which, "other") == 0) inlined_put(1, 5);
    }
    __upc_barrier(12);
    return failures;
}
