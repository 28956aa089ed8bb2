/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that check themselves: CHECK(condition), and finish() as the result of main. */
#include <stdio.h>
#include <upc.h>

static int failed_checks;

#define CHECK(...) check((__VA_ARGS__) != 0, #__VA_ARGS__, __FILE__, __LINE__)

static void check(int holds, const char *condition, const char *file, int line) {
    if (holds) return;
    failed_checks++;
    printf("%s:%d: thread %d of %d: not so: %s\n", file, line, MYTHREAD, THREADS, condition);
}

/* Collective. Thread 0 prints "done" if no check failed on any thread. */
static int finish(void) {
    static shared int failures[THREADS];
    int i, total = 0;
    failures[MYTHREAD] = failed_checks;
    upc_barrier;
    for (i = 0; i < THREADS; i++) total += failures[i];
    if (MYTHREAD == 0 && total == 0) puts("done");
    return total != 0;
}
