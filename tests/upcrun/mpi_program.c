/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is linked with one of the MPI libraries: `mpi_program [abort RANK STATUS]`. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank = 0, size = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d, sum %d\n", rank, size, sum);
    fflush(stdout);
    if (argc > 3 && strcmp(argv[1], "abort") == 0) {
        if (rank == atoi(argv[2])) MPI_Abort(MPI_COMM_WORLD, atoi(argv[3]));
        for (;;) pause();
    }
    MPI_Finalize();
    return 0;
}
