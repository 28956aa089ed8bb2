/* SPDX-License-Identifier: BSD-3-Clause */
/* Sample sort over MPI: sort_mpi [keys] [rounds]. Each process packs its keys by receiver; MPI_Alltoallv. */
#include <mpi.h>
#include "sort.h"

static int me, processes;

/* The combined result of all processes' checks, at rank 0. */
static verdict_t judge_all(const uint64_t *got, uint64_t mine) {
    uint64_t *ends = malloc(2 * processes * sizeof(uint64_t)), end[2] = {mine, mine > 0 ? got[mine - 1] : 0};
    uint64_t first = 0, before = 0;
    verdict_t found, all = {0, 0, 0};
    int p;
    MPI_Allgather(end, 2, MPI_UINT64_T, ends, 2, MPI_UINT64_T, MPI_COMM_WORLD);
    for (p = 0; p < me; p++) {
        first += ends[2 * p];
        if (ends[2 * p] > 0) before = ends[2 * p + 1];
    }
    found = judge(got, mine, first, before);
    MPI_Reduce(&found, &all, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    free(ends);
    return all;
}

int main(int argc, char **argv) {
    uint64_t total = argc > 1 ? strtoull(argv[1], 0, 0) : 8192, from, n, mine = 0, i, mine_samples[SAMPLES];
    uint64_t *keys, *packed, *got, *splitters;
    int rounds = argc > 2 ? atoi(argv[2]) : 1, round, p, status = 0, *count, *starts, *next, *gets, *places;
    double start, exchange, now, best[2] = {1e9, 1e9};
    verdict_t all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    from = first_key(total, me, processes), n = first_key(total, me + 1, processes) - from;
    keys = malloc((n + 1) * sizeof *keys);
    packed = malloc(room(total, processes) * sizeof *packed); /* and scratch space for the sort */
    got = malloc(room(total, processes) * sizeof *got);
    splitters = malloc(SAMPLES * processes * sizeof *splitters);
    count = malloc(5 * processes * sizeof *count), starts = count + processes, next = starts + processes;
    gets = next + processes, places = gets + processes;
    for (i = 0; i < n; i++) keys[i] = number(from + i);
    for (round = 0; round < rounds; round++) {
        MPI_Barrier(MPI_COMM_WORLD);
        start = seconds();
        for (i = 0; i < SAMPLES; i++) mine_samples[i] = keys[n * i / SAMPLES];
        MPI_Allgather(mine_samples, SAMPLES, MPI_UINT64_T, splitters, SAMPLES, MPI_UINT64_T, MPI_COMM_WORLD);
        choose_splitters(splitters, processes);
        for (p = 0; p < processes; p++) count[p] = 0;
        for (i = 0; i < n; i++) count[owner(keys[i], splitters, processes)]++;
        MPI_Alltoall(count, 1, MPI_INT, gets, 1, MPI_INT, MPI_COMM_WORLD);
        for (p = 0, mine = 0; p < processes; p++) places[p] = mine, mine += gets[p];
        if (mine > room(total, processes)) MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Barrier(MPI_COMM_WORLD);
        exchange = seconds();
        for (p = 0, starts[0] = 0; p < processes - 1; p++) starts[p + 1] = starts[p] + count[p];
        memcpy(next, starts, processes * sizeof *next);
        for (i = 0; i < n; i++) packed[next[owner(keys[i], splitters, processes)]++] = keys[i];
        MPI_Alltoallv(packed, count, starts, MPI_UINT64_T, got, gets, places, MPI_UINT64_T, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        now = seconds();
        if (now - exchange < best[1]) best[1] = now - exchange;
        sort_here(got, packed, mine);
        MPI_Barrier(MPI_COMM_WORLD);
        now = seconds();
        if (now - start < best[0]) best[0] = now - start;
    }
    all = judge_all(got, mine);
    if (me == 0) {
        report("mpi", processes, total, best[0], best[1]);
        status = check(total, all);
        if (status == 0) done(total, all);
    }
    MPI_Finalize();
    return status;
}
