/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What sort.upc, sort_pthreads.c and sort_mpi.c share. All sort the same random numbers by the same sample sort: from
 * a few keys of each thread, splitters are chosen; each key goes to the thread between whose splitters it lies; each
 * thread sorts what it has got.
 */
#ifndef SORT_H
#define SORT_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 64 }; /* of each thread */

/* Key k of the input. */
static inline uint64_t number(uint64_t k) {
    uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Of `keys` keys, thread t has those from first_key(t) to first_key(t + 1) - 1. It receives at most this many. */
static inline uint64_t first_key(uint64_t keys, int t, int threads) { return keys * t / threads; }
static inline uint64_t room(uint64_t keys, int threads) { return 2 * keys / threads + SAMPLES; }

/* Radix sort by bytes, the lowest first; scratch is as large as a. The result is in a. */
static void sort_here(uint64_t *a, uint64_t *scratch, uint64_t n) {
    uint64_t place[256], i, sum, count, *swap;
    int shift;
    for (shift = 0; shift < 64; shift += 8) {
        memset(place, 0, sizeof place);
        for (i = 0; i < n; i++) place[a[i] >> shift & 255]++;
        for (i = 0, sum = 0; i < 256; i++) count = place[i], place[i] = sum, sum += count;
        for (i = 0; i < n; i++) scratch[place[a[i] >> shift & 255]++] = a[i];
        swap = a, a = scratch, scratch = swap;
    }
}

/* Chooses threads - 1 splitters from all samples, which may be in any order, and puts them first. */
static void choose_splitters(uint64_t *samples, int threads) {
    uint64_t *scratch = malloc(SAMPLES * threads * sizeof *scratch);
    int t;
    sort_here(samples, scratch, SAMPLES * threads);
    for (t = 1; t < threads; t++) samples[t - 1] = samples[t * SAMPLES];
    free(scratch);
}

/* The thread that receives a key. Without branches on the key, which could not be predicted. */
static inline int owner(uint64_t key, const uint64_t *splitters, int threads) {
    int t, to = 0;
    for (t = 0; t < threads - 1; t++) to += key >= splitters[t];
    return to;
}

/* What a thread's n sorted keys, the first of which is number `first` of all, say: does their order hold from the key
 * before on? Sums of all keys that tell whether a key was lost, and the place of each. */
typedef struct {
    uint64_t unordered, keys, places;
} verdict_t;
static verdict_t judge(const uint64_t *a, uint64_t n, uint64_t first, uint64_t before) {
    verdict_t v = {0, 0, 0};
    uint64_t i;
    for (i = 0; i < n; i++) {
        v.unordered += a[i] < before;
        v.keys += number(a[i]);
        v.places += a[i] * (2 * (first + i) + 1);
        before = a[i];
    }
    return v;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* The times of the whole sort and of its exchange alone. */
static void report(const char *version, int threads, uint64_t keys, double all, double exchange) {
    const char *line =
        "{\"example\": \"sort\", \"version\": \"%s%s\", \"threads\": %d, \"size\": %llu, "
        "\"unit\": \"keys/s\", \"rate\": %.4g}\n";
    printf(line, version, "", threads, (unsigned long long)keys, keys / all);
    printf(line, version, "_exchange", threads, (unsigned long long)keys, keys / exchange);
}

/* 0 when all keys of the input are there, in order. */
static int check(uint64_t keys, verdict_t all) {
    uint64_t k, sum = 0;
    for (k = 0; k < keys; k++) sum += number(number(k));
    if (all.unordered == 0 && all.keys == sum) return 0;
    printf("FAILED: %llu keys out of order%s\n", (unsigned long long)all.unordered,
           all.keys != sum ? ", and not all are there" : "");
    return 1;
}

static void done(uint64_t keys, verdict_t all) {
    printf("done: %llu keys, sum %016llx\n", (unsigned long long)keys, (unsigned long long)all.places);
}
#endif
