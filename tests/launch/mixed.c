/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that uses MPI and UPC, for test_mixed.py: `mixed MODE [LEVEL]`.
 *   join    MPI is initialised by the program, at thread level LEVEL, before UPC
 *   hooks   by UPCRL_mpi_init and UPCRL_mpi_finalize
 *   after   by the program after UPC has started, unless MPI_Initialized() is true
 *   early   as join, but MPI_Finalize is called before UPC ends
 *   threads as join, but main() ends by pthread_exit(): MPI's own threads, which never end, are not waited for
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upcr.h>

static int level = MPI_THREAD_SINGLE;
static int failures;
static char lines[4096];
#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, printf("FAILED: line %d: %s\n", __LINE__, #condition)))

static void init(int *argc, char ***argv) {
    int got;
    MPI_Init_thread(argc, argv, level, &got);
    CHECK(got >= level || got == MPI_THREAD_SINGLE);
    setvbuf(stdout, lines, _IOLBF, sizeof lines); /* MPICH has removed the buffer, and lines would mix */
}

static void finalize(void) {
    int done = 1;
    MPI_Finalized(&done);
    if (done) printf("FAILED: another thread has called MPI_Finalize\n");
    MPI_Finalize();
    printf("finalized\n");
}

void (*UPCRL_mpi_init)(int *, char ***);
void (*UPCRL_mpi_finalize)(void);

static void hook_init(int *argc, char ***argv) {
    printf("hook\n");
    init(argc, argv);
}

static void barrier(void) { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }

/* UPC puts and MPI messages at the same time; MPI sees none of UPC's messages. */
static void mix(void) {
    int me, n, seen = 0, i, value = -1, sum = 0, flag = 0;
    MPI_Request any;
    MPI_Status status;
    upcr_shared_ptr_t cells;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    CHECK(n == (int)upcr_threads());
    CHECK(me == (int)upcr_mythread());
    if (n != (int)upcr_threads()) return;

    /* Would receive any message on the program's communicator, whoever sent it. */
    MPI_Irecv(&seen, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any);
    cells = upcr_all_alloc(n, 100 * sizeof(int));
    for (i = 0; i < 100; i++)
        upcr_put_shared_val(upcr_add_shared(cells, sizeof(int), 100 * ((me + 1) % n) + i, 100), 0, me + i,
                            sizeof(int));
    barrier();
    for (i = 0; i < 100; i++)
        value =
            (int)upcr_get_shared_val(upcr_add_shared(cells, sizeof(int), 100 * me + i, 100), 0, sizeof(int)),
        CHECK(value == (me + n - 1) % n + i);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == n * (n - 1) / 2 + n * 99);
    MPI_Test(&any, &flag, &status);
    CHECK(!flag);
    barrier();
    value = 1000 + me;
    MPI_Send(&value, 1, MPI_INT, (me + 1) % n, 17, MPI_COMM_WORLD);
    MPI_Wait(&any, &status);
    CHECK(seen == 1000 + (me + n - 1) % n && status.MPI_TAG == 17);
    barrier();
    upcr_all_free(cells);
}

static void check_error_handler(void) {
    MPI_Errhandler handler;
    int buffer = 0;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
    CHECK(MPI_Send(&buffer, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "join";
    int by_program = 1, there = 0;
    if (argc > 2)
        level = atoi(argv[2]) == 0   ? MPI_THREAD_SINGLE
                : atoi(argv[2]) == 1 ? MPI_THREAD_FUNNELED
                : atoi(argv[2]) == 2 ? MPI_THREAD_SERIALIZED
                                     : MPI_THREAD_MULTIPLE;
    if (!strcmp(way, "join") || !strcmp(way, "early") || !strcmp(way, "threads")) {
        init(&argc, &argv);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        UPCRL_mpi_finalize = finalize;
    }
    if (!strcmp(way, "early")) UPCRL_mpi_finalize = NULL;
    if (!strcmp(way, "hooks")) UPCRL_mpi_init = hook_init, UPCRL_mpi_finalize = finalize;
    bupc_init(&argc, &argv);

    if (!strcmp(way, "after")) {
        MPI_Initialized(&there);
        printf("initialized %d\n", there);
        if (!there) init(&argc, &argv), UPCRL_mpi_finalize = finalize;
        by_program = !there;
    }
    mix();
    if (!strcmp(way, "join")) check_error_handler();
    barrier();
    if (!strcmp(way, "threads")) {
        if (failures == 0) printf("done\n");
        pthread_exit(NULL);
    }
    if (by_program && !strcmp(way, "early")) finalize();
    if (failures == 0) printf("done\n");
    bupc_exit(failures != 0);
}
