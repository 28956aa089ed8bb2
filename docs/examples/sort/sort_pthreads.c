/* SPDX-License-Identifier: BSD-3-Clause */
/* Sample sort in plain C with pthreads: sort_pthreads [keys] [rounds] [threads]. Keys are stored at their destination. */
#include <pthread.h>
#include "sort.h"

static uint64_t total, *samples, *counts, **buffers;
static int rounds, threads;
static pthread_barrier_t barrier;
static verdict_t all;
static double best[2] = {1e9, 1e9};

/* The combined result of all threads' checks, at thread 0. */
static void judge_all(int me, const uint64_t *numbers) {
    uint64_t first = 0, before = 0;
    verdict_t found;
    int t;
    for (t = 0; t < me; t++) {
        first += numbers[t];
        if (numbers[t] > 0) before = buffers[t][numbers[t] - 1];
    }
    found = judge(buffers[me], numbers[me], first, before);
    __atomic_fetch_add(&all.unordered, found.unordered, __ATOMIC_RELAXED);
    __atomic_fetch_add(&all.keys, found.keys, __ATOMIC_RELAXED);
    __atomic_fetch_add(&all.places, found.places, __ATOMIC_RELAXED);
}

static void *work(void *arg) {
    const int me = (int)(long)arg;
    const uint64_t from = first_key(total, me, threads), n = first_key(total, me + 1, threads) - from;
    uint64_t *keys = malloc((n + 1) * sizeof *keys),
             *scratch = malloc(room(total, threads) * sizeof *scratch);
    uint64_t *splitters = malloc(SAMPLES * threads * sizeof *splitters),
             *numbers = calloc(threads, sizeof *numbers);
    uint64_t *count = malloc(threads * sizeof *count), **to = malloc(threads * sizeof *to), i;
    double start, exchange, now;
    int round, t, s;

    buffers[me] = malloc(room(total, threads) * sizeof(uint64_t));
    for (i = 0; i < n; i++) keys[i] = number(from + i);
    for (round = 0; round < rounds; round++) {
        pthread_barrier_wait(&barrier);
        start = seconds();
        for (i = 0; i < SAMPLES; i++) samples[me * SAMPLES + i] = keys[n * i / SAMPLES];
        pthread_barrier_wait(&barrier);
        memcpy(splitters, samples, SAMPLES * threads * sizeof *samples);
        choose_splitters(splitters, threads);
        for (t = 0; t < threads; t++) count[t] = 0;
        for (i = 0; i < n; i++) count[owner(keys[i], splitters, threads)]++;
        for (t = 0; t < threads; t++) counts[me * threads + t] = count[t];
        pthread_barrier_wait(&barrier);
        for (t = 0; t < threads; t++)
            for (s = 0, to[t] = buffers[t], numbers[t] = 0; s < threads; s++) {
                if (s < me) to[t] += counts[s * threads + t];
                numbers[t] += counts[s * threads + t];
            }
        if (numbers[me] > room(total, threads)) exit(3);
        pthread_barrier_wait(&barrier);
        exchange = seconds();
        for (i = 0; i < n; i++) *to[owner(keys[i], splitters, threads)]++ = keys[i];
        pthread_barrier_wait(&barrier);
        now = seconds();
        if (me == 0 && now - exchange < best[1]) best[1] = now - exchange;
        sort_here(buffers[me], scratch, numbers[me]);
        pthread_barrier_wait(&barrier);
        now = seconds();
        if (me == 0 && now - start < best[0]) best[0] = now - start;
    }
    judge_all(me, numbers);
    free(keys), free(scratch), free(splitters), free(numbers), free(count), free(to);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t *others;
    long t;
    int status;
    total = argc > 1 ? strtoull(argv[1], 0, 0) : 8192;
    rounds = argc > 2 ? atoi(argv[2]) : 1;
    threads = argc > 3 ? atoi(argv[3]) : 2;
    others = malloc(threads * sizeof *others);
    samples = malloc(SAMPLES * threads * sizeof *samples);
    counts = malloc(threads * threads * sizeof *counts);
    buffers = malloc(threads * sizeof *buffers);
    pthread_barrier_init(&barrier, 0, threads);
    for (t = 1; t < threads; t++) pthread_create(&others[t], 0, work, (void *)t);
    work(0);
    for (t = 1; t < threads; t++) pthread_join(others[t], 0);
    report("pthreads", threads, total, best[0], best[1]);
    status = check(total, all);
    if (status == 0) done(total, all);
    return status;
}
