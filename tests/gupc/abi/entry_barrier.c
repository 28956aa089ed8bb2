/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The second half of a barrier needs no help: after its notify each thread in turn computes, without a call
 * of the runtime, until the others have stored, in a file that all map, that they have completed their wait.
 * Were any step of the barrier left to it, the others would wait for it and it for them.
 *
 *     entry_barrier FILE            as above; FILE is empty, or does not exist
 *     entry_barrier FILE mismatch   thread 1 names another barrier and computes: the others find out
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/gupc/abi/entry.h"

EMIT_PROGRAM_INFO;

enum { MOST_THREADS = 64, ROUNDS = 8, SECONDS = 120 };

struct board {
    int through[ROUNDS][MOST_THREADS]
               [MOST_THREADS]; /* by the thread that computes, and the one that stores */
};

static struct board *map_board(const char *path) {
    const int fd = open(path, O_RDWR | O_CREAT, 0600);
    void *board;
    if (fd < 0 || ftruncate(fd, sizeof(struct board)) != 0) return perror(path), exit(2), NULL;
    board = mmap(NULL, sizeof(struct board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (board == MAP_FAILED) return perror("mmap"), exit(2), NULL;
    close(fd);
    return board;
}

static int all_but_me(const int *passed) {
    for (int t = 0; t < THREADS; ++t)
        if (t != MYTHREAD && __atomic_load_n(&passed[t], __ATOMIC_ACQUIRE) == 0) return 0;
    return 1;
}

/* Private memory and the processor only. Gives up after a while, so that a failure is one. */
static int compute_until(const int *passed) {
    const time_t deadline = time(NULL) + SECONDS;
    volatile double x = 1;
    while (!all_but_me(passed)) {
        for (int i = 0; i < 1000; ++i) x = x * 1.0000001 + 1e-9;
        sched_yield(); /* the others may need this processor */
        if (time(NULL) > deadline) return 0;
    }
    return 1;
}

/* All named, or named and anonymous. */
static int id_of(int round) { return round % 2 != 0 && MYTHREAD % 2 != 0 ? EMIT_ANONYMOUS : 40 + round; }

static void turn(struct board *board, int round, int computing) {
    int *const passed = board->through[round][computing];
    __upc_notify(id_of(round));
    if (MYTHREAD == computing) CHECK(compute_until(passed));
    __upc_wait(id_of(round));
    __atomic_store_n(&passed[MYTHREAD], 1, __ATOMIC_RELEASE);
}

int main(int argc, char **argv) {
    struct board *const board = map_board(argc > 1 ? argv[1] : "");
    if (argc > 2) {
        __upc_barrier(EMIT_ANONYMOUS);
        __upc_notify(MYTHREAD == 1 ? 9 : 5);
        if (MYTHREAD == 1) compute_until(board->through[0][1]); /* no thread stores it: the job ends */
        __upc_wait(MYTHREAD == 1 ? 9 : 5);
        return 0;
    }
    for (int round = 0; round < ROUNDS && emit_failures == 0; ++round)
        for (int t = 0; t < THREADS; ++t) turn(board, round, t);
    return emit_failures;
}
