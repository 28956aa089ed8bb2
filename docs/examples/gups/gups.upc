/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random access (GUPS): updates of random elements of a table that is dealt to all threads.
 *
 *     gups [log2 of the number of elements] [updates an element, such as 0.5]
 *
 *   first       an atomic XOR, while processes access each other's pages for the first time
 *   atomic      the same again
 *   shared      a load and a store; now and then one update overwrites another
 *   directory   the same through a pointer to each thread's part, for a number of threads that is a power of two: then
 *               finding an element takes a shift where a pointer to the whole table takes a division
 *   cast        a directory of plain pointers, where the memory of all threads can be reached by them
 */
#include <upc_relaxed.h>
#include <bupc_atomics.h>
#include <upc_castable.h>
#include <stdlib.h>
#include "gups.h"

shared uint64_t sums[THREADS];
shared uint64_t mistakes[THREADS];

static void update_atomic(shared uint64_t *table, uint64_t mask, uint64_t from, uint64_t to)
{
    uint64_t k, r;
    for (k = from; k < to; k++) {
        r = number(k);
        bupc_atomicU64_fetchxor_relaxed(&table[r & mask], r);
    }
}

static void update_shared(shared uint64_t *table, uint64_t mask, uint64_t from, uint64_t to)
{
    uint64_t k, r;
    for (k = from; k < to; k++) {
        r = number(k);
        table[r & mask] ^= r;
    }
}

static void update_directory(shared [] uint64_t **parts, uint64_t mask, int shift, uint64_t from, uint64_t to)
{
    uint64_t k, r, low = THREADS - 1;
    for (k = from; k < to; k++) {
        r = number(k);
        parts[r & low][(r & mask) >> shift] ^= r;
    }
}

static void update_cast(uint64_t **parts, uint64_t mask, int shift, uint64_t from, uint64_t to)
{
    uint64_t k, r, low = THREADS - 1;
    for (k = from; k < to; k++) {
        r = number(k);
        parts[r & low][(r & mask) >> shift] ^= r;
    }
}

/* Each thread adds up, or compares with their first values, the elements that it owns. */
static void inspect(shared uint64_t *table, uint64_t elements)
{
    uint64_t i, sum = 0, differ = 0;
    for (i = MYTHREAD; i < elements; i += THREADS) {
        sum += weigh(i, table[i]);
        differ += table[i] != i;
    }
    sums[MYTHREAD] = sum;
    mistakes[MYTHREAD] = differ;
}

static uint64_t total(shared uint64_t *of_each)
{
    uint64_t sum = 0;
    int t;
    for (t = 0; t < THREADS; t++) sum += of_each[t];
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t elements = (uint64_t)1 << (argc > 1 ? atoi(argv[1]) : 14), mask = elements - 1;
    uint64_t updates = elements * (argc > 2 ? atof(argv[2]) : 1.0), i, sum = 0, wrong = 0, overwritten = 0;
    uint64_t from = updates / THREADS * MYTHREAD, to = MYTHREAD == THREADS - 1 ? updates : from + updates / THREADS;
    shared uint64_t *table = upc_all_alloc(elements, sizeof(uint64_t));
    shared [] uint64_t **parts = malloc(THREADS * sizeof *parts);
    uint64_t **plain = malloc(THREADS * sizeof *plain);
    static const char *names[] = {"first", "atomic", "shared", "directory", "cast"};
    double start, time;
    int version, shift = 0, t, status = 0, versions = (THREADS & (THREADS - 1)) == 0 ? 4 : 2;

    for (t = 0; t < THREADS; t++) {
        parts[t] = (shared [] uint64_t *)&table[t];
        plain[t] = upc_cast(&table[t]);
        if (plain[t] == NULL && versions == 4) versions = 3;
    }
    while (1 << shift < THREADS) shift++;
    for (version = -1; version < versions; version++) {
        for (i = MYTHREAD; i < elements; i += THREADS) table[i] = i;
        upc_barrier;
        start = seconds();
        if (version <= 0) update_atomic(table, mask, from, to);
        else if (version == 1) update_shared(table, mask, from, to);
        else if (version == 2) update_directory(parts, mask, shift, from, to);
        else update_cast(plain, mask, shift, from, to);
        upc_barrier;
        time = seconds() - start;
        inspect(table, elements);
        upc_barrier;
        if (version == 0) sum = total(sums);
        update_atomic(table, mask, from, to); /* the same updates again undo the first ones */
        upc_barrier;
        inspect(table, elements);
        upc_barrier;
        if (version <= 0) wrong += total(mistakes);
        else if (total(mistakes) > overwritten) overwritten = total(mistakes);
        if (MYTHREAD == 0) report(names[version + 1], THREADS, elements, updates, time);
    }
    if (MYTHREAD == 0) status = conclude(elements, updates, sum, wrong, overwritten);
    free(parts), free(plain);
    return status;
}
