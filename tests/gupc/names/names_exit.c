/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_global_exit while the other threads compute in a loop that calls nothing. names_exit CASE [THREAD...]:
 * these threads end the job, with status 7. Every process has words in a buffer and a handler of atexit().
 *   plain    upc_global_exit       g_form    upc_global_exitg
 *   nested   the handler calls it again, with status 9
 *   slow     the handlers are slow
 *   stuck    the handlers of the other processes never return
 *   exit     exit() of C
 */
#include <unistd.h>

#include "tests/gupc/names/names.h"

EMIT_PROGRAM_INFO;

SHARED(int, computing, 8); /* by thread, at those that end the job */

static const char *test;
static int first_here = INT_MAX; /* the lowest thread of the process */
static int registered, called_here;
static volatile unsigned long work;

static void handler(void) {
    if (strcmp(test, "slow") == 0) usleep(100000);
    printf("handler of thread %d\n", called_here ? first_here : MYTHREAD);
    if (strcmp(test, "nested") == 0 && called_here) upc_global_exit(9);
    if (strcmp(test, "stuck") == 0 && !called_here)
        for (;;) pause();
}

static int ends_the_job(int argc, char **argv, int thread) {
    for (int i = 2; i < argc; ++i)
        if (atoi(argv[i]) == thread) return 1;
    return 0;
}

/* The others know that this thread will not answer them any more. */
static void compute(int argc, char **argv) {
    for (int i = 2; i < argc; ++i) __putssi2(emit_at(&computing[MYTHREAD], atoi(argv[i])), 1);
    for (;;) ++work;
}

int main(int argc, char **argv) {
    if (argc < 3) return 99;
    if (!__atomic_exchange_n(&registered, 1, __ATOMIC_SEQ_CST)) {
        static char buffer[4096];
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer); /* any reader: output appears by a flush only */
        test = argv[1];
        atexit(handler);
    }
    for (int lowest = first_here; MYTHREAD < lowest;)
        if (__atomic_compare_exchange_n(&first_here, &lowest, MYTHREAD, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            break;
    barrier_all(); /* no thread has printed before */
    printf("words of thread %d\n", MYTHREAD);
    barrier_all();
    if (!ends_the_job(argc, argv, MYTHREAD)) compute(argc, argv);
    for (int t = 0; t < THREADS; ++t)
        while (!ends_the_job(argc, argv, t) && __getssi2(emit_at(&computing[t], MYTHREAD)) == 0) {
        }
    called_here = 1;
    if (strcmp(argv[1], "g_form") == 0) upc_global_exitg(7, __FILE__, __LINE__);
    if (strcmp(argv[1], "exit") == 0) exit(7);
    upc_global_exit(7);
}
