/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat in a plate: each thread has ROWS rows, fetches the row above and the row below them from its neighbours,
 * and a collective says when no point changes any more. */
#include <math.h>
#include <stdio.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

#define ROWS 6
#define COLUMNS 24

typedef shared [ROWS * COLUMNS] double (*rows_t)[COLUMNS];

/* Two grids, of which one is read and the other written, row by row; a thread's rows are one block. */
shared [ROWS * COLUMNS] double grid[2][ROWS * THREADS][COLUMNS];
shared double change[THREADS], largest_change;
shared int sweeps_of_slowest;
upc_lock_t *shared slowest_lock;

/* Row `row` of a grid into `to`: with one call, wherever the row is. Outside the plate it is 0, or 100 above. */
static void fetch(double *to, int from, int row) {
    if (row >= 0 && row < ROWS * THREADS)
        upc_memget(to, &grid[from][row][0], COLUMNS * sizeof(double));
    else
        for (int c = 0; c < COLUMNS; c++) to[c] = row < 0 ? 100 : 0;
}

/* One sweep over this thread's rows, from one grid to the other. Returns the largest change of a point. */
static double sweep(int from) {
    const int first = ROWS * MYTHREAD;
    double above[COLUMNS], below[COLUMNS], largest = 0;
    double(*in)[COLUMNS] = (double(*)[COLUMNS]) & grid[from][first][0];
    double(*out)[COLUMNS] = (double(*)[COLUMNS]) & grid[1 - from][first][0];
    fetch(above, from, first - 1);
    fetch(below, from, first + ROWS);
    for (int r = 0; r < ROWS; r++) {
        const double *up = r == 0 ? above : in[r - 1], *down = r == ROWS - 1 ? below : in[r + 1];
        for (int c = 0; c < COLUMNS; c++) {
            const double left = c == 0 ? 0 : in[r][c - 1], right = c == COLUMNS - 1 ? 0 : in[r][c + 1];
            out[r][c] = (up[c] + down[c] + left + right) / 4;
            largest = fmax(largest, fabs(out[r][c] - in[r][c]));
        }
    }
    return largest;
}

int main(void) {
    if (MYTHREAD == 0) slowest_lock = upc_global_lock_alloc();
    int from = 0, sweeps = 0;
    upc_barrier; /* the grids are zero, as all static data */
    do {
        change[MYTHREAD] = sweep(from);
        upc_all_reduceD(&largest_change, change, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        from = 1 - from;
        sweeps++;
    } while (largest_change > 0.01);

    upc_lock(slowest_lock);
    if (sweeps > sweeps_of_slowest) sweeps_of_slowest = sweeps;
    upc_unlock(slowest_lock);
    upc_barrier;
    if (MYTHREAD == 0) {
        rows_t rows = grid[from];
        const int steady = sweeps == sweeps_of_slowest && rows[0][COLUMNS / 2] > rows[1][COLUMNS / 2];
        printf("%s: hot above, %s below\n", steady ? "steady" : "not steady",
               grid[from][ROWS * THREADS - 1][0] < 10 ? "cold" : "hot");
    }
    return 0;
}
