/* SPDX-License-Identifier: BSD-3-Clause */
/* Random access in plain C with pthreads: gups_pthreads [log2 of elements] [updates an element] [threads] */
#include <pthread.h>
#include <stdlib.h>
#include "gups.h"

static uint64_t *table, elements, updates, wrong[2];
static int threads;
static double times[3];
static pthread_barrier_t barrier;

static void update_atomic(uint64_t from, uint64_t to) {
    uint64_t k, mask = elements - 1;
    for (k = from; k < to; k++) __atomic_fetch_xor(&table[number(k) & mask], number(k), __ATOMIC_RELAXED);
}

static void update_plain(uint64_t from, uint64_t to) {
    uint64_t k, mask = elements - 1;
    for (k = from; k < to; k++) table[number(k) & mask] ^= number(k);
}

static void *work(void *me) {
    const uint64_t t = (uint64_t)me, from = updates / threads * t;
    const uint64_t to = t == (uint64_t)threads - 1 ? updates : from + updates / threads;
    uint64_t i, sum = 0;
    double start;
    int version;

    for (version = -1; version < 2; version++) { /* -1: atomic, as "first" in gups.upc */
        if (t == 0)
            for (i = 0; i < elements; i++) table[i] = i;
        pthread_barrier_wait(&barrier);
        start = seconds();
        if (version <= 0)
            update_atomic(from, to);
        else
            update_plain(from, to);
        pthread_barrier_wait(&barrier);
        times[version + 1] = seconds() - start;
        if (t == 0 && version == 0)
            for (i = 0; i < elements; i++) sum += weigh(i, table[i]);
        pthread_barrier_wait(&barrier);
        update_atomic(from, to); /* the same updates again undo the first ones */
        pthread_barrier_wait(&barrier);
        if (t == 0)
            for (i = 0; i < elements; i++) wrong[version > 0] += table[i] != i;
    }
    return (void *)sum;
}

int main(int argc, char **argv) {
    pthread_t *others;
    uint64_t t, sum;
    elements = (uint64_t)1 << (argc > 1 ? atoi(argv[1]) : 14);
    updates = elements * (argc > 2 ? atof(argv[2]) : 1.0);
    threads = argc > 3 ? atoi(argv[3]) : 2;
    table = malloc(elements * sizeof(uint64_t));
    others = malloc(threads * sizeof *others);
    pthread_barrier_init(&barrier, 0, threads);
    for (t = 1; t < (uint64_t)threads; t++) pthread_create(&others[t], 0, work, (void *)t);
    sum = (uint64_t)work(0);
    for (t = 1; t < (uint64_t)threads; t++) pthread_join(others[t], 0);
    report("first", threads, elements, updates, times[0]);
    report("atomic", threads, elements, updates, times[1]);
    report("plain", threads, elements, updates, times[2]);
    return conclude(elements, updates, sum, wrong[0], wrong[1]);
}
