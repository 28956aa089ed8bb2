/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC threads as ranks of MPI: one process each. */
#include <stdio.h>
#include <upc.h>

void mpi_begin(void);
double mpi_sum(double x);

int main(void) {
    mpi_begin();
    double sum = mpi_sum(MYTHREAD + 1);
    if (MYTHREAD == 0) printf("%g\n", sum);
    return 0;
}
