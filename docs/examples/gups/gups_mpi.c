/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random access over MPI: gups_mpi [log2 of the number of elements] [updates an element]
 *
 *   buckets      each process collects 1024 updates, sorts them by owner and exchanges them with all others
 *   accumulate   each update is an MPI_Accumulate; 1024 at a time
 * Elements are distributed cyclically over the processes.
 */
#include <mpi.h>
#include <stdlib.h>
#include "gups.h"

enum { AHEAD = 1024 };
static int me, processes;
static uint64_t elements, *table; /* this process's part */
static MPI_Win window;

static void update_buckets(uint64_t from, uint64_t to, uint64_t rounds) {
    int *counts = malloc(4 * processes * sizeof(int)), *starts = counts + processes,
        *got = starts + processes;
    int *places = got + processes, p, i, n, all;
    uint64_t *chosen = malloc(AHEAD * sizeof(uint64_t)), *sorted = malloc(AHEAD * sizeof(uint64_t));
    uint64_t *arrived = malloc((size_t)AHEAD * processes * sizeof(uint64_t)), mask = elements - 1;
    for (; rounds > 0; rounds--, from += n) {
        n = to - from < AHEAD ? to - from : AHEAD;
        for (p = 0; p < processes; p++) counts[p] = 0;
        for (i = 0; i < n; i++) chosen[i] = number(from + i), counts[(chosen[i] & mask) % processes]++;
        for (p = 0, all = 0; p < processes; p++) starts[p] = all, all += counts[p];
        for (i = 0; i < n; i++) sorted[starts[(chosen[i] & mask) % processes]++] = chosen[i];
        for (p = 0; p < processes; p++) starts[p] -= counts[p];
        MPI_Alltoall(counts, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
        for (p = 0, all = 0; p < processes; p++) places[p] = all, all += got[p];
        MPI_Alltoallv(sorted, counts, starts, MPI_UINT64_T, arrived, got, places, MPI_UINT64_T,
                      MPI_COMM_WORLD);
        for (i = 0; i < all; i++) table[(arrived[i] & mask) / processes] ^= arrived[i];
    }
    free(counts), free(chosen), free(sorted), free(arrived);
}

static void update_accumulate(uint64_t from, uint64_t to) {
    uint64_t values[AHEAD], mask = elements - 1, k;
    int i, n;
    MPI_Win_lock_all(0, window);
    for (k = from; k < to; k += n) {
        n = to - k < AHEAD ? to - k : AHEAD;
        for (i = 0; i < n; i++) {
            values[i] = number(k + i);
            MPI_Accumulate(&values[i], 1, MPI_UINT64_T, (values[i] & mask) % processes,
                           (values[i] & mask) / processes, 1, MPI_UINT64_T, MPI_BXOR, window);
        }
        MPI_Win_flush_all(window);
    }
    MPI_Win_unlock_all(window);
}

int main(int argc, char **argv) {
    uint64_t updates, from, to, rounds, mine, i, sum, all, wrong[2];
    double start, time;
    int version, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    elements = (uint64_t)1 << (argc > 1 ? atoi(argv[1]) : 14);
    updates = elements * (argc > 2 ? atof(argv[2]) : 1.0);
    from = updates / processes * me;
    to = me == processes - 1 ? updates : from + updates / processes;
    rounds = (updates - updates / processes * (processes - 1) + AHEAD - 1) /
             AHEAD; /* of the last process, which has the most */
    mine = (elements - me + processes - 1) / processes;
    MPI_Win_allocate((elements + processes - 1) / processes * sizeof(uint64_t), sizeof(uint64_t),
                     MPI_INFO_NULL, MPI_COMM_WORLD, &table, &window);
    for (version = 0; version < 2; version++) {
        for (i = 0; i < mine; i++) table[i] = i * processes + me;
        MPI_Barrier(MPI_COMM_WORLD);
        start = seconds();
        if (version == 0)
            update_buckets(from, to, rounds);
        else
            update_accumulate(from, to);
        MPI_Barrier(MPI_COMM_WORLD);
        time = seconds() - start;
        for (i = 0, all = 0; i < mine; i++) all += weigh(i * processes + me, table[i]);
        MPI_Reduce(&all, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
        update_buckets(from, to, rounds); /* the same updates again undo the first ones */
        for (i = 0, all = 0; i < mine; i++) all += table[i] != i * processes + me;
        MPI_Reduce(&all, &wrong[version], 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
        if (me == 0) report(version == 0 ? "buckets" : "accumulate", processes, elements, updates, time);
    }
    if (me == 0) status = conclude(elements, updates, sum, wrong[0] + wrong[1], 0);
    MPI_Win_free(&window);
    MPI_Finalize();
    return status;
}
