/* SPDX-License-Identifier: BSD-3-Clause */
/* Order between threads without barriers: a strict flag behind relaxed data, and a barrier in two halves. */
#include <stdio.h>
#include <upc_relaxed.h>

#define N 1000

shared [N] int message[N * THREADS];
strict shared int ready[THREADS]; /* a strict access is ordered with all accesses around it */

int main(void) {
    const int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < N; i++) message[N * next + i] = MYTHREAD + i;
    ready[next] = 1; /* after the elements, for every thread that reads it */

    while (!ready[MYTHREAD]) upc_poll();
    const int *in = (const int *)&message[N * MYTHREAD];
    const int from = (MYTHREAD + THREADS - 1) % THREADS;
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += in[i] != from + i;

    upc_notify; /* this thread has read its message */
    double private_work = 0;
    for (int i = 1; i < N; i++) private_work += 1. / i;
    upc_wait; /* all threads have read theirs: now it may be overwritten */
    message[N * next] = -1;
    upc_barrier;
    printf("thread %d: %d wrong, then %d, %.3f\n", MYTHREAD, wrong, message[N * MYTHREAD], private_work);
    return 0;
}
