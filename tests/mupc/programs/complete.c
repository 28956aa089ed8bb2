/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that wait for the calling thread's own accesses: the two syncs, strict accesses, notify, and the lock
 * calls. Without a communication thread and with shared memory off, thread 1 calls nothing of the runtime
 * while the last thread puts something into its memory, or starts a get from there, and then calls one of
 * these: it must not return. Then thread 1 serves, the call returns, and the put is in thread 1's memory.
 * Thread 0, where the locks are, is in a barrier. The other two signal by files.
 */
#include "tests/mupc/files.h"
#include "tests/mupc/programs/check.h"

enum { kTarget = 1, kMoment = 80 /* ms, in which a call that does not wait returns */ };
MUPC_SHARED(values, THREADS, 64 * sizeof(uint64_t)); /* word 60 of thread 1 is 60 */
MUPC_SHARED(process, 1, sizeof(uint64_t));
static mupc_shared_ptr_t lock;
static uint64_t got;

static mupc_shared_ptr_t mine(void) { return part(values, MYTHREAD, 0); }
static void put(int step) { put64(part(values, kTarget, 8 * (size_t)step), (uint64_t)step + 1); }
static void start_get(int step) {
    (void)step;
    got = 0;
    mupc_get_start(&got, part(values, kTarget, 60 * 8), 8);
}
static void put_under_lock(int step) {
    upc_lock(lock);
    put(step);
}

static void put_strict(int step) {
    const uint64_t value = (uint64_t)step + 1;
    mupc_put_strict(part(values, kTarget, 8 * (size_t)step), &value, 8);
}
static void put_strict_here(void) { mupc_put_strict(mine(), &got, 8); }
static void get_strict_here(void) { mupc_get_strict(&got, mine(), 8); }
static void acquire(void) { upc_lock(lock); }
static void attempt(void) { CHECK(upc_lock_attempt(lock) == 1); }
static void release(void) { upc_unlock(lock); }
static void nothing(void) {}

static const struct {
    const char *name;
    void (*before)(int step), (*with_step)(int step);
    void (*call)(void), (*after)(void);
} steps[] = {
    {"PutAllSync", put, NULL, _UPCRTS_PutAllSync, nothing},
    {"GetAllSync", start_get, NULL, _UPCRTS_GetAllSync, nothing},
    {"strict put there", NULL, put_strict, nothing, nothing},
    {"strict put here after a put there", put, NULL, put_strict_here, nothing},
    {"strict get here after a put there", put, NULL, get_strict_here, nothing},
    {"lock", put, NULL, acquire, release},
    {"lock_attempt", put, NULL, attempt, release},
    {"unlock", put_under_lock, NULL, release, nothing},
    {"notify after a put", put, NULL, NULL, nothing}, /* that of the barrier at a step's end */
    {"notify after a get", start_get, NULL, NULL, nothing},
};
enum { kSteps = sizeof steps / sizeof steps[0] };

static void compute_and_serve(int first, int step) {
    make_file(file_of(first, "computes", step)); /* it has left the barrier, and serves no thread */
    wait_for_file(file_of(first, "calls", step));
    int early = 0;
    for (int i = 0; i < kMoment && !early; ++i) early = there_is(file_of(first, "returned", step));
    const time_t end = time(NULL) + kFileDeadline;
    while (!there_is(file_of(first, "returned", step))) {
        (void)get64(mine()); /* serves the others */
        CHECK(time(NULL) < end);
    }
    unlink(file_of(first, "returned", step));
    if (early) {
        fprintf(stderr, "%s: returned while an access was under way\n", steps[step].name);
        upc_global_exit(1);
    }
    const volatile uint64_t *const here = (const volatile uint64_t *)mupc_local(mine());
    if (steps[step].before != start_get) CHECK(here[step] == (uint64_t)step + 1);
}

/* Ends with this thread's notify. */
static void call(int first, int step) {
    wait_for_file(file_of(first, "computes", step));
    if (steps[step].before != NULL) steps[step].before(step);
    make_file(file_of(first, "calls", step));
    if (steps[step].with_step != NULL) steps[step].with_step(step);
    if (steps[step].call != NULL)
        steps[step].call();
    else
        upc_notify(step);
    make_file(file_of(first, "returned", step));
    if (steps[step].before == start_get) CHECK(got == 60);
    steps[step].after();
    if (steps[step].call != NULL) upc_notify(step);
}

int main(void) {
    CHECK(THREADS >= 3);
    if (MYTHREAD == 0) put64(process, (uint64_t)getpid());
    if (MYTHREAD == kTarget) put64(part(values, kTarget, 60 * 8), 60);
    lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) upc_lock_init(lock);
    UPC_barrier(1);
    const int first = (int)get64(process);
    for (int step = 0; step < kSteps; ++step) {
        UPC_barrier(100);
        if (MYTHREAD == kTarget) compute_and_serve(first, step);
        if (MYTHREAD == THREADS - 1)
            call(first, step);
        else
            upc_notify(step);
        upc_wait(step);
    }
    return 0;
}
