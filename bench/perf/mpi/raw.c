/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures MPI alone between ranks 0 and 1, for comparison with upcr_perf_openmpi and upcr_perf_mpich:
 *   mpirun -n 2 mpi_raw_openmpi
 * Prints one line each: a round trip of 8 bytes; a put and a get of 8 bytes in a window, each flushed; and
 * half a round trip of large messages. Medians of bursts, in microseconds. Other ranks wait.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BURSTS = 31, LARGEST = 4 << 20 };

static int rank;
static char *buffer;
static MPI_Win window;

static void round_trips(int times, int bytes) {
    for (int i = 0; i < times; i++) {
        if (rank == 0) MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

static void puts_flushed(int times, int bytes) {
    for (int i = 0; rank == 0 && i < times; i++) {
        MPI_Put(buffer, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
        MPI_Win_flush(1, window);
    }
}

static void gets_flushed(int times, int bytes) {
    for (int i = 0; rank == 0 && i < times; i++) {
        MPI_Get(buffer, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
        MPI_Win_flush(1, window);
    }
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median time of one, in microseconds. */
static double measure(void (*work)(int, int), int times, int bytes) {
    double took[BURSTS];
    for (int i = 0; i < BURSTS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        if (rank < 2) work(times, bytes);
        took[i] = (MPI_Wtime() - start) / times * 1e6;
    }
    qsort(took, BURSTS, sizeof took[0], by_size);
    return took[BURSTS / 2];
}

/* A window over own memory; NULL where the transport supports none. */
static int make_window(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int mine =
        MPI_Win_create(buffer, LARGEST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window) == MPI_SUCCESS;
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv) {
    int size, have_window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) {
        fprintf(stderr, "mpi_raw: needs two ranks; start it with mpirun -n 2\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    buffer = calloc(1, LARGEST);
    have_window = make_window();
    const double trip = measure(round_trips, 1000, 8);
    if (rank == 0) printf("%-14s %10.3f us\n", "round trip", trip);
    if (have_window) {
        MPI_Win_lock_all(0, window);
        const double put = measure(puts_flushed, 300, 8), get = measure(gets_flushed, 300, 8);
        if (rank == 0) printf("%-14s %10.3f us\n%-14s %10.3f us\n", "put, flush", put, "get, flush", get);
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    } else if (rank == 0) {
        printf("%-14s there is no window over this transport\n", "put, get");
    }
    for (int bytes = 64 << 10; bytes <= LARGEST; bytes *= bytes == 64 << 10 ? 16 : 4) {
        const double one_way = measure(round_trips, bytes > 1 << 20 ? 10 : 50, bytes) / 2;
        if (rank == 0) printf("%7d bytes  %10.3f us %10.1f MB/s\n", bytes, one_way, bytes / one_way);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
