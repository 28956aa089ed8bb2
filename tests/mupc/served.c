/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which threads are served while thread 0 computes without calling the runtime, with shared memory off. Arguments:
 *
 *   with     UPCR_PROGRESS_THREAD=yes: every operation of the others on thread 0's memory is done while it
 *            computes. It computes until a mark of theirs, put after the operation, is in its memory.
 *   without  nothing is done before it stops: it computes for SERVED_COMPUTING (2000) ms while the others get,
 *            for a moment in what follows, and finds no mark. SERVED_BY_NETWORK names operations that need no
 *            processor at their target, or no answer: they are left out.
 *   idle     the CPU time of the process's other threads while all sleep: 1 % of a core at most is intended. An
 *            error is 4 %, or SERVED_IDLE: an emulated processor takes longer for the same instructions. It is
 *            processor time, which others on the machine hardly change.
 *
 * How long each took is printed; what is asserted is the order. One operation (`again`) is a row of requests with
 * pauses in which whoever serves goes to sleep: the computation is long enough for that only if the answers
 * come far sooner than after a second.
 */
#include <sys/resource.h>

#include "tests/mupc/files.h"
#include "tests/spmd/spmd.h"

enum {
    kWords = 4096,
    kDeadline = 120 /* seconds */,
    kMoment = 100 /* ms */,
    kIdle = 1000,
    kRequests = 16,
    kPause = 70 /* ms: longer than 64 */,
    kRowDeadline = 10 /* s, less than kRequests */
};

static upcr_shared_ptr_t space, lock, semaphore, counter, object;
static uint64_t words[kWords];
static double computing = 2000; /* ms */
static double most_idle = 4;    /* % of a core */

static void get(void) {
    SPMD_EQ(upcr_get_shared_val(spmd_part(space, 0, 0), 8, 8), 3);
    upcr_get_shared(words, spmd_part(space, 0, 0), 0, sizeof words);
    for (size_t i = 0; i + 1 < kWords; ++i) SPMD_EQ(words[i], 3 * i);
}
static void put(void) {
    upcr_put_shared(spmd_part(space, 0, sizeof words * (1 + upcr_mythread())), 0, words, sizeof words);
}
static void lock_and_unlock(void) {
    upcr_lock(lock);
    upcr_unlock(lock);
    while (!upcr_lock_attempt(lock)) continue;
    upcr_unlock(lock);
}
static void allocate(void) {
    const upcr_shared_ptr_t made = upcr_global_alloc(upcr_threads(), 100);
    SPMD_CHECK(!upcr_isnull_shared(made));
    upcr_free(made);
    if (upcr_mythread() == 1) upcr_free(object); /* thread 0's own */
}
static void nap(long ms) {
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}
static void again(void) {
    for (int i = 0; i < kRequests; ++i) {
        nap(kPause);
        SPMD_EQ(upcr_get_shared_val(spmd_part(space, 0, 0), 8, 8), 3);
    }
}
static void message(void) { bupc_sem_post(upcr_shared_to_pshared(semaphore)); }
static void atomic(void) { (void)bupc_atomicU64_fetchadd_strict(counter, 1); }

static const struct {
    const char *name;
    void (*run)(void);
    int deadline; /* s */
} operations[] = {{"get", get, kDeadline},
                  {"put", put, kDeadline},
                  {"lock", lock_and_unlock, kDeadline},
                  {"allocation", allocate, kDeadline},
                  {"message", message, kDeadline},
                  {"atomic", atomic, kDeadline},
                  {"again", again, kRowDeadline}};
enum { kOperations = sizeof operations / sizeof operations[0] };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* "Thread 0 computes now": a file, since all else would need thread 0. */
static const char *computing_file(int step) {
    return file_of((int)upcr_get_shared_val(spmd_part(space, 0, 0), (ptrdiff_t)sizeof words - 8, 8),
                   "computes", step);
}

static int has_mark(const volatile uint64_t *marks, upcr_thread_t n) {
    upcr_thread_t count = 0;
    for (upcr_thread_t i = 1; i < n; ++i) count += marks[i] != 0;
    return count;
}

/* On thread 0. Nothing of the runtime is called in here. */
static void compute(int step, const volatile uint64_t *marks, upcr_thread_t n, int with, const char *file) {
    const double start = now(), limit = with        ? operations[step].deadline * 1e3
                                        : step == 0 ? computing
                                                    : kMoment;
    make_file(file);
    volatile double sum = 0;
    while (now() - start < limit && (!with || has_mark(marks, n) != (int)n - 1))
        for (int i = 0; i < 1000; ++i) sum += i;
    const int arrived = has_mark(marks, n);
    if (with && arrived != (int)n - 1)
        SPMD_FAIL("%s: only %d threads were served in %d s", operations[step].name, arrived,
                  operations[step].deadline);
    if (!with && arrived != 0)
        SPMD_FAIL("%s: %d threads got no service; is this test wrong?", operations[step].name, arrived);
}

static void operate(int step, upcr_shared_ptr_t mark) {
    const char *const file = computing_file(step);
    spmd_barrier();
    while (access(file, F_OK) != 0) nap(1);
    const double start = now();
    operations[step].run();
    printf("%s: %.2f ms\n", operations[step].name, now() - start);
    upcr_put_shared_val(mark, 0, 1, 8);
}

static void serve(int with, const char *left_out) {
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads();
    const upcr_shared_ptr_t marks = spmd_alloc(kOperations * n * 8);
    for (int step = 0; step < kOperations; ++step) {
        if (strstr(left_out, operations[step].name) != NULL) continue;
        if (!with && operations[step].run == again) continue;
        const upcr_shared_ptr_t row = spmd_part(marks, 0, (size_t)step * n * 8);
        if (me == 0) {
            const char *const file = computing_file(step);
            const volatile uint64_t *const mine = (const volatile uint64_t *)upcr_shared_to_local(row);
            unlink(file);
            spmd_barrier();
            compute(step, mine, n, with, file);
        } else {
            operate(step, spmd_part(row, 0, 8 * me));
        }
        spmd_barrier(); /* all have seen the file, however late they came */
        if (me == 0) unlink(computing_file(step));
    }
    if (me == 0) {
        if (strstr(left_out, "message") == NULL) bupc_sem_waitN(upcr_shared_to_pshared(semaphore), n - 1);
        SPMD_EQ(upcr_get_shared_val(counter, 0, 8), n - 1);
    }
}

static double processor_time(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}
static double time_of_others(void) {
    return processor_time(CLOCK_PROCESS_CPUTIME_ID) - processor_time(CLOCK_THREAD_CPUTIME_ID);
}

/* The process's other threads, while this one sleeps. */
static void idle(void) {
    spmd_barrier();
    nap(kPause);
    const double start = now(), before = time_of_others();
    nap(kIdle);
    const double share = 100 * (time_of_others() - before) / (now() - start);
    printf("thread %u: idle, %.2f %% of a core\n", upcr_mythread(), share);
    if (share > most_idle) SPMD_FAIL("the idle progress thread uses %.2f %% of a core; 1 %% is meant", share);
}

static void prepare(void) {
    space = spmd_alloc((1 + upcr_threads()) * sizeof words);
    upcr_shared_ptr_t made[4] = {upcr_null_shared, upcr_null_shared, upcr_null_shared, upcr_null_shared};
    const upcr_shared_ptr_t board = spmd_alloc(sizeof made);
    if (upcr_mythread() == 0) {
        for (size_t i = 0; i < kWords; ++i) words[i] = 3 * i;
        words[kWords - 1] = (uint64_t)getpid();
        upcr_put_shared(space, 0, words, sizeof words);
        made[0] = upcr_global_lock_alloc();
        made[1] = upcr_pshared_to_shared(
            bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER | BUPC_SEM_SCONSUMER));
        made[2] = upcr_alloc(8);
        made[3] = upcr_alloc(100);
        upcr_put_shared_val(made[2], 0, 0, 8);
        upcr_put_shared(board, 0, made, sizeof made);
    }
    spmd_barrier();
    upcr_get_shared(made, board, 0, sizeof made);
    lock = made[0], semaphore = made[1], counter = made[2], object = made[3];
}

static int spmd_main(int argc, char **argv) {
    const char *const left_out = getenv("SERVED_BY_NETWORK"), *const ms = getenv("SERVED_COMPUTING");
    const char *const most = getenv("SERVED_IDLE");
    if (ms != NULL) computing = atof(ms);
    if (most != NULL) most_idle = atof(most);
    setvbuf(stdout, NULL, _IOLBF, 0);
    spmd_barrier();
    prepare();
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "idle") == 0)
            idle();
        else
            serve(strcmp(argv[i], "with") == 0, left_out != NULL && argv[i][4] != '\0' ? left_out : "");
    }
    spmd_barrier();
    return 0;
}
int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, &spmd_main);
    return 99; /* not reached */
}
