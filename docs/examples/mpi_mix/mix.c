/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI and UPC in one program: a rod whose ends have fixed temperatures and whose cells are distributed over the
 * processes. UPC shared memory carries the cells at the borders to the neighbours; MPI collectives compute the distance
 * from the steady state. MPI is initialised first, so UPC joins it: MYTHREAD is the rank in MPI_COMM_WORLD, and messages
 * of the two never meet.
 *
 *     UPCC_CC=mpicc upcc --extern-main mix.c -o mix
 *     mpirun -n 4 ./mix
 *     upcrun --conduit mpi -n 4 ./mix
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <upcr.h>

enum { CELLS = 12 };                       /* of the whole rod */
static const double LEFT = 0, RIGHT = 100; /* its ends */

/* The program has initialised MPI, so it must finalize it. bupc_exit() calls this after UPC's end. */
static void end_mpi(void) { MPI_Finalize(); }
void (*UPCRL_mpi_finalize)(void) = end_mpi;

/* Cells of this process, with one more at each end for the neighbours' border cells (or the rod's ends). */
static int first, count;
static double *cell;

static void barrier(void) { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }

/* Puts this process's border cells where its neighbours look: two numbers on each thread, block size 2. */
static void trade_borders(upcr_shared_ptr_t border, int me, int n) {
    if (me > 0)
        upcr_put_shared_doubleval(upcr_add_shared(border, sizeof(double), 2 * (me - 1) + 1, 2), 0, cell[1]);
    if (me < n - 1)
        upcr_put_shared_doubleval(upcr_add_shared(border, sizeof(double), 2 * (me + 1), 2), 0, cell[count]);
    barrier(); /* all puts have arrived */
    if (me > 0) cell[0] = upcr_get_shared_doubleval(upcr_add_shared(border, sizeof(double), 2 * me, 2), 0);
    if (me < n - 1)
        cell[count + 1] =
            upcr_get_shared_doubleval(upcr_add_shared(border, sizeof(double), 2 * me + 1, 2), 0);
    barrier(); /* all processes have read them */
}

/* Computes one step. Returns the largest change of a cell of this process. */
static double relax(double *next) {
    double most = 0;
    int i;
    for (i = 1; i <= count; i++) {
        double change;
        next[i] = (cell[i - 1] + cell[i + 1]) / 2;
        change = next[i] > cell[i] ? next[i] - cell[i] : cell[i] - next[i];
        if (change > most) most = change;
    }
    for (i = 1; i <= count; i++) cell[i] = next[i];
    return most;
}

int main(int argc, char **argv) {
    int me, n, i, bad = 0, all_bad = 0;
    double here, most, *next;
    upcr_shared_ptr_t border;

    MPI_Init(&argc, &argv);
    bupc_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (me != (int)upcr_mythread() || n != (int)upcr_threads()) {
        printf("FAILED: MPI and UPC count differently\n");
        upcr_global_exit(1);
    }
    first = CELLS * me / n;
    count = CELLS * (me + 1) / n - first;
    cell = calloc(count + 2, sizeof(double));
    next = calloc(count + 2, sizeof(double));
    if (me == 0) cell[0] = LEFT;
    if (me == n - 1) cell[count + 1] = RIGHT;

    border = upcr_all_alloc(n, 2 * sizeof(double));
    do {
        trade_borders(border, me, n);
        here = relax(next);
        MPI_Allreduce(&here, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    } while (most > 1e-6);

    /* In the steady state the temperature rises linearly. */
    for (i = 1; i <= count; i++) {
        const double due = LEFT + (RIGHT - LEFT) * (first + i) / (CELLS + 1);
        if (cell[i] - due > 1e-4 || due - cell[i] > 1e-4) bad++;
    }
    MPI_Reduce(&bad, &all_bad, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0 && all_bad == 0) printf("done: %d cells at rest\n", CELLS);
    if (me == 0 && all_bad != 0) printf("FAILED: %d cells are wrong\n", all_bad);
    upcr_all_free(border);
    free(cell);
    free(next);
    bupc_exit(bad != 0);
}
