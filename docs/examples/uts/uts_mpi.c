/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unbalanced tree search over MPI: uts_mpi [tree: 0 to 2]
 *
 * A process without nodes asks the others in turn; who works looks for such questions now and then and answers with a
 * chunk from the bottom of its stack, or with nothing. A token that goes round finds out that all are idle: who has
 * given nodes away since it last had the token makes it black, and rank 0 sends it again until it comes back white.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include "uts.h"

enum { ASK, ANSWER, TOKEN, END };
static node_t *stack;
static long bottom, top;
static int me, processes, black;

static int waiting(int source, int tag, MPI_Status *status) {
    int there;
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, status);
    return there;
}

/* Answers all requests for work. */
static void give(void) {
    MPI_Status status;
    while (waiting(MPI_ANY_SOURCE, ASK, &status)) {
        const int count = top - bottom > 2 * CHUNK ? CHUNK : 0;
        MPI_Recv(0, 0, MPI_BYTE, status.MPI_SOURCE, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(stack + bottom, count * sizeof(node_t), MPI_BYTE, status.MPI_SOURCE, ANSWER, MPI_COMM_WORLD);
        bottom += count;
        if (count > 0) black = 1;
    }
}

/* Asks others for nodes, which go to the bottom of the stack. Returns 1, or 0 when no process has any. */
static int find_work(int *have_token) {
    int victim = me, asked = 0, bytes, white, t;
    MPI_Status status;
    bottom = top = 0;
    for (;;) {
        give();
        if (asked && waiting(victim, ANSWER, &status)) {
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            MPI_Recv(stack, bytes, MPI_BYTE, victim, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            asked = 0;
            top = bytes / sizeof(node_t);
            if (top > 0) return 1;
        }
        if (asked) continue;
        /* This process is idle and has no request under way. */
        if (waiting(MPI_ANY_SOURCE, TOKEN, &status)) {
            MPI_Recv(&white, 1, MPI_INT, status.MPI_SOURCE, TOKEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (me == 0) *have_token = 1;
            if (me == 0 && white && !black) {
                for (t = 1; t < processes; t++) MPI_Send(0, 0, MPI_BYTE, t, END, MPI_COMM_WORLD);
                return 0;
            }
            if (me != 0) {
                white = white && !black;
                black = 0;
                MPI_Send(&white, 1, MPI_INT, (me + 1) % processes, TOKEN, MPI_COMM_WORLD);
            }
        }
        if (me == 0 && *have_token) {
            if (processes == 1) return 0;
            white = 1, black = 0, *have_token = 0;
            MPI_Send(&white, 1, MPI_INT, 1, TOKEN, MPI_COMM_WORLD);
        }
        if (waiting(0, END, &status)) {
            MPI_Recv(0, 0, MPI_BYTE, 0, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            return 0;
        }
        do victim = (victim + 1) % processes;
        while (victim == me);
        MPI_Send(0, 0, MPI_BYTE, victim, ASK, MPI_COMM_WORLD);
        asked = 1;
    }
}

static found_t search(int tree) {
    int have_token = me == 0, all_out = 0;
    found_t found = {0, 0, 0};
    MPI_Request out;
    if (me == 0) stack[top++] = root(tree);
    do {
        while (top > bottom) {
            top = visit(tree, stack, top, &found);
            if (found.nodes % 64 == 0) give();
            if (bottom > CAPACITY / 2) { /* reuses the space of nodes that were given away */
                memmove(stack, stack + bottom, (top - bottom) * sizeof(node_t));
                top -= bottom, bottom = 0;
            }
        }
        found.steals++;
    } while (find_work(&have_token));
    found.steals--;
    MPI_Ibarrier(MPI_COMM_WORLD, &out);
    while (!all_out)
        give(), MPI_Test(&out, &all_out, MPI_STATUS_IGNORE); /* others may still wait for an answer */
    return found;
}

int main(int argc, char **argv) {
    int tree = argc > 1 ? atoi(argv[1]) : 0, status = 0;
    found_t found, all;
    double start, time;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    stack = malloc(CAPACITY * sizeof(node_t));
    MPI_Barrier(MPI_COMM_WORLD);
    start = seconds();
    found = search(tree);
    MPI_Barrier(MPI_COMM_WORLD);
    time = seconds() - start;
    MPI_Reduce(&found.nodes, &all.nodes, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&found.depth, &all.depth, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&found.steals, &all.steals, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) status = conclude("mpi", processes, tree, all, time);
    MPI_Finalize();
    return status;
}
