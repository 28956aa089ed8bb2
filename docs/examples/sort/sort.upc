/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sample sort of random keys. Two ways to exchange them:
 *
 *     sort [keys] [rounds]
 *
 *   shared   each key is stored straight into the other thread's memory, one after the other
 *   bulk     a thread puts together what each other one gets, then copies it there in one piece
 */
#include <upc_relaxed.h>
#include "sort.h"

shared [] uint64_t *shared buffers[THREADS]; /* the keys that each thread receives */
shared uint64_t numbers[THREADS], lasts[THREADS], unordered[THREADS], sums[THREADS], places[THREADS];

/* The samples of all threads, and the splitters chosen from them. */
static void split(shared uint64_t *samples, const uint64_t *keys, uint64_t n, uint64_t *splitters)
{
    int i;
    for (i = 0; i < SAMPLES; i++) samples[i * THREADS + MYTHREAD] = keys[n * i / SAMPLES];
    upc_barrier;
    for (i = 0; i < SAMPLES * THREADS; i++) splitters[i] = samples[i];
    choose_splitters(splitters, THREADS);
}

/* Exchanges the numbers of keys: where my keys go in each buffer, and how many keys this thread receives. */
static uint64_t place(shared uint64_t *counts, const uint64_t *count, uint64_t *at)
{
    uint64_t mine = 0;
    int from, to;
    for (to = 0; to < THREADS; to++) counts[MYTHREAD * THREADS + to] = count[to];
    upc_barrier;
    for (to = 0; to < THREADS; to++)
        for (from = 0, at[to] = 0; from < MYTHREAD; from++) at[to] += counts[from * THREADS + to];
    for (from = 0; from < THREADS; from++) mine += counts[from * THREADS + MYTHREAD];
    return mine;
}

static void exchange_shared(const uint64_t *keys, uint64_t n, const uint64_t *splitters, uint64_t *at,
                            shared [] uint64_t **to)
{
    uint64_t i;
    for (i = 0; i < n; i++) {
        int t = owner(keys[i], splitters, THREADS);
        to[t][at[t]++] = keys[i];
    }
}

static void exchange_bulk(const uint64_t *keys, uint64_t n, const uint64_t *splitters, const uint64_t *at,
                          shared [] uint64_t **to, const uint64_t *count, uint64_t *packed, uint64_t *next)
{
    uint64_t i, sum = 0;
    int t;
    for (t = 0; t < THREADS; t++) next[t] = sum, sum += count[t];
    for (i = 0; i < n; i++) packed[next[owner(keys[i], splitters, THREADS)]++] = keys[i];
    for (t = 0; t < THREADS; t++) upc_memput(&to[t][at[t]], packed + next[t] - count[t], count[t] * sizeof(uint64_t));
}

/* The combined result of all threads' checks, at thread 0. */
static verdict_t judge_all(const uint64_t *got, uint64_t mine)
{
    uint64_t first = 0, before = 0;
    verdict_t all = {0, 0, 0}, found;
    int t;
    numbers[MYTHREAD] = mine;
    lasts[MYTHREAD] = mine > 0 ? got[mine - 1] : 0;
    upc_barrier;
    for (t = 0; t < MYTHREAD; t++) {
        first += numbers[t];
        if (numbers[t] > 0) before = lasts[t];
    }
    found = judge(got, mine, first, before);
    unordered[MYTHREAD] = found.unordered;
    sums[MYTHREAD] = found.keys;
    places[MYTHREAD] = found.places;
    upc_barrier;
    for (t = 0; MYTHREAD == 0 && t < THREADS; t++) {
        all.unordered += unordered[t];
        all.keys += sums[t];
        all.places += places[t];
    }
    return all;
}

int main(int argc, char **argv)
{
    uint64_t total = argc > 1 ? strtoull(argv[1], 0, 0) : 8192, from = first_key(total, MYTHREAD, THREADS);
    uint64_t n = first_key(total, MYTHREAD + 1, THREADS) - from, most = room(total, THREADS), i, mine;
    int rounds = argc > 2 ? atoi(argv[2]) : 1, version, round, t, status = 0;
    uint64_t *keys = malloc((n + 1) * sizeof(uint64_t)), *scratch = malloc(most * sizeof(uint64_t)), *got;
    uint64_t *splitters = malloc(SAMPLES * THREADS * sizeof(uint64_t)), *count = malloc(3 * THREADS * sizeof(uint64_t));
    uint64_t *at = count + THREADS, *next = at + THREADS;
    shared uint64_t *samples = upc_all_alloc(SAMPLES * THREADS, sizeof(uint64_t));
    shared uint64_t *counts = upc_all_alloc(THREADS * THREADS, sizeof(uint64_t));
    shared [] uint64_t **to = malloc(THREADS * sizeof *to);
    double start, exchange, now, best[2];
    verdict_t all;

    buffers[MYTHREAD] = upc_alloc(most * sizeof(uint64_t));
    upc_barrier;
    for (t = 0; t < THREADS; t++) to[t] = buffers[t];
    got = (uint64_t *)to[MYTHREAD]; /* local: plain memory */
    for (i = 0; i < n; i++) keys[i] = number(from + i);
    for (version = 0; version < 2; version++) {
        best[0] = best[1] = 1e9;
        memset(got, 0, most * sizeof(uint64_t)); /* clears the result of the previous version */
        for (round = 0; round < rounds; round++) {
            upc_barrier;
            start = seconds();
            split(samples, keys, n, splitters);
            for (t = 0; t < THREADS; t++) count[t] = 0;
            for (i = 0; i < n; i++) count[owner(keys[i], splitters, THREADS)]++;
            mine = place(counts, count, at);
            if (mine > most) upc_global_exit(3);
            upc_barrier;
            exchange = seconds();
            if (version == 0) exchange_shared(keys, n, splitters, at, to);
            else exchange_bulk(keys, n, splitters, at, to, count, scratch, next);
            upc_barrier;
            now = seconds();
            if (now - exchange < best[1]) best[1] = now - exchange;
            sort_here(got, scratch, mine);
            upc_barrier;
            now = seconds();
            if (now - start < best[0]) best[0] = now - start;
        }
        all = judge_all(got, mine);
        if (MYTHREAD == 0) {
            report(version == 0 ? "shared" : "bulk", THREADS, total, best[0], best[1]);
            status |= check(total, all);
        }
    }
    if (MYTHREAD == 0 && status == 0) done(total, all);
    free(keys), free(scratch), free(splitters), free(count), free(to);
    return status;
}
