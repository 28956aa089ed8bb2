/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the program that calls MPI. UPC may have initialised MPI already: conduit mpi does. */
#include <mpi.h>
#include <stddef.h>

static void end(void) { MPI_Finalize(); }
void (*UPCRL_mpi_finalize)(void); /* what is called when UPC has ended */

void mpi_begin(void) {
    int begun;
    MPI_Initialized(&begun);
    if (begun) return;
    MPI_Init(NULL, NULL);
    UPCRL_mpi_finalize = end;
}

double mpi_sum(double x) {
    double sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
