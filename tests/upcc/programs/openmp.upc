/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP beside UPC: its threads share the number and the unshared data of the UPC thread that started them, a pragma
 * concerns the statement behind it, and its barrier is not UPC's. */
#include <upc.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>
#include "../../upc2c/clauses/check.h"
#define N 40
/* With -g only UPC threads may access shared memory. */
#ifndef TEAM
#define TEAM 3
#endif
shared [N] int mine[N * THREADS];
shared int counts[THREADS], once[THREADS];
static int total;

static void numbers(void) {
    int seen[2] = {-1, -1}, values[2] = {0, 0}, i;
    mine[MYTHREAD * N] = 100 + MYTHREAD;
#pragma omp parallel for num_threads(TEAM)
    for (i = 0; i < 2; i++) {
        seen[i] = MYTHREAD;
        values[i] = mine[MYTHREAD * N];
    }
    CHECK(seen[0] == MYTHREAD && seen[1] == MYTHREAD);
    CHECK(values[0] == 100 + MYTHREAD && values[1] == values[0]);
}

static void *number_of_thread(void *number) {
    *(int *)number = MYTHREAD;
    return NULL;
}

static void own_thread(void) {
    int number = -1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, number_of_thread, &number) == 0);
    pthread_join(thread, NULL);
    CHECK(number == MYTHREAD);
}

static void barriers(void) {
    int before[2] = {0, 0}, seen[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
        const int t = omp_get_thread_num();
        if (t != 0) usleep(50000);
        before[t] = 1;
#pragma omp barrier
        seen[t] = before[1 - t];
    }
    CHECK(seen[0] && seen[1]);
}

static void loops(void) {
    int sum = 0, i, j;
#pragma omp parallel for num_threads(TEAM)
    for (i = 0; i < N; i++) mine[MYTHREAD * N + i] = i;
#pragma omp parallel for num_threads(TEAM) reduction(+ : sum)
    for (i = 0; i < N; i++) sum += mine[MYTHREAD * N + i];
    CHECK(sum == N * (N - 1) / 2);
#pragma omp parallel num_threads(TEAM)
    {
#pragma omp for collapse(2)
        for (i = 0; i < N / 4; i++)
            for (j = 0; j < 4; j++) mine[MYTHREAD * N + 4 * i + j] += 1;
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
        for (i = 0; i < N; i++) {
            if (i % 2) continue;
            sum += mine[MYTHREAD * N + i] - mine[MYTHREAD * N + i + 1];
        }
    }
    CHECK(sum == N * (N - 1) / 2 - N / 2);
#pragma omp simd reduction(+ : sum)
    for (i = 0; i < N; i++) sum -= mine[MYTHREAD * N + i];
    CHECK(sum == -N - N / 2);
}

/* Each statement is one of few threads: by all it would count too often. */
static void statements(void) {
    counts[MYTHREAD] = once[MYTHREAD] = 0;
#pragma omp parallel num_threads(TEAM)
    {
#pragma omp critical
        counts[MYTHREAD]++;
#pragma omp atomic
        total += once[MYTHREAD] + 1;
#pragma omp barrier
#pragma omp master
        once[MYTHREAD] += counts[MYTHREAD];
#pragma omp barrier
#pragma omp single
        once[MYTHREAD] += 10 * counts[MYTHREAD];
#pragma omp master
        if (once[MYTHREAD] > 0) once[MYTHREAD] += 100 * counts[MYTHREAD];
#pragma omp barrier
#pragma omp sections
        {
            once[MYTHREAD] += 1000;
#pragma omp section
            counts[MYTHREAD] += 1000;
        }
    }
    CHECK(counts[MYTHREAD] == 1000 + TEAM && once[MYTHREAD] == 1000 + 111 * TEAM && total == TEAM);
#pragma omp parallel num_threads(TEAM)
#pragma omp master
    once[MYTHREAD] = once[MYTHREAD] + 1;
    CHECK(once[MYTHREAD] == 1001 + 111 * TEAM);
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
#pragma omp task
        once[MYTHREAD] = 7;
#pragma omp taskwait
        once[MYTHREAD]++;
    }
    CHECK(once[MYTHREAD] == 8);
}

int main(void) {
    numbers();
    own_thread();
    barriers();
    loops();
    statements();
    upc_barrier;
    return finish();
}
