/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by gups.upc, gups_pthreads.c and gups_mpi.c: the updates, their check and their report. */
#ifndef GUPS_H
#define GUPS_H
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* Update k XORs this number into the element that its low bits name, for any distribution of the updates. */
static inline uint64_t number(uint64_t k) {
    uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* The contribution of an element to the checksum of the table. */
static inline uint64_t weigh(uint64_t i, uint64_t element) { return element * (2 * i + 1); }

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void report(const char *version, int threads, uint64_t elements, uint64_t updates, double time) {
    printf(
        "{\"example\": \"gups\", \"version\": \"%s\", \"threads\": %d, \"size\": %llu, \"unit\": \"updates/s\", "
        "\"rate\": %.4g}\n",
        version, threads, (unsigned long long)(8 * elements), updates / time);
}

/* The last line: the table after atomic updates, and how many elements were wrong after those and the others.
 * Updates that are not atomic may overwrite each other: that may happen to 1 % of them. */
static int conclude(uint64_t elements, uint64_t updates, uint64_t sum, uint64_t wrong, uint64_t overwritten) {
    if (wrong != 0 || overwritten > updates / 100) {
        printf("FAILED: %llu elements, %llu by updates that are not atomic\n", (unsigned long long)wrong,
               (unsigned long long)overwritten);
        return 1;
    }
    printf("done: %llu elements, sum %016llx\n", (unsigned long long)elements, (unsigned long long)sum);
    return 0;
}
#endif
