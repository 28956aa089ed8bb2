/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.upc over MPI: heat_mpi [points per side] [sweeps] [rate]. Each process has neighbouring rows, and exchanges the
 * outermost ones with its neighbours before each sweep. */
#include <mpi.h>
#include "heat.h"

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 48, sweeps = argc > 2 ? atoi(argv[2]) : 24, me, processes, first, last,
        row, s, p;
    int up, down, *counts, *starts;
    double *u, *v, *whole, *swap, start, time, mine, residual;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    first = (long)n * me / processes, last = (long)n * (me + 1) / processes; /* my rows: first to last - 1 */
    up = me > 0 ? me - 1 : MPI_PROC_NULL, down = me < processes - 1 ? me + 1 : MPI_PROC_NULL;
    u = malloc((last - first + 2) * n * sizeof(double)); /* my rows, and one row of each neighbour */
    v = malloc((last - first + 2) * n * sizeof(double));
    for (row = 0; row < (last - first + 2) * n; row++)
        u[row] = v[row] = heated(n, first - 1 + row / n, row % n) ? HOT : 0.0;
    MPI_Barrier(MPI_COMM_WORLD);
    start = seconds();
    for (s = 0; s < sweeps; s++) {
        MPI_Sendrecv(u + n, n, MPI_DOUBLE, up, 0, u + (last - first + 1) * n, n, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + (last - first) * n, n, MPI_DOUBLE, down, 1, u, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        mine = 0.0;
        for (row = first; row < last; row++) {
            double *here = u + (row - first + 1) * n;
            if (row > 0 && row < n - 1) mine = step(here - n, here, here + n, v + (here - u), n, row, mine);
        }
        MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        swap = u, u = v, v = swap;
    }
    time = seconds() - start;

    counts = malloc(2 * processes * sizeof(int)), starts = counts + processes;
    for (p = 0; p < processes; p++) {
        starts[p] = (long)n * p / processes * n;
        counts[p] = (long)n * (p + 1) / processes * n - starts[p];
    }
    whole = me == 0 ? malloc((size_t)n * n * sizeof(double)) : 0;
    MPI_Gatherv(u + n, (last - first) * n, MPI_DOUBLE, whole, counts, starts, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    s = me == 0 ? conclude("mpi", processes, n, sweeps, time, whole) : 0;
    MPI_Finalize();
    return s;
}
