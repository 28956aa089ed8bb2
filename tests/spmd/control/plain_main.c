/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with its own main() and bupc_init: returns from main(), or calls bupc_exit, by argv[1]. Also the hooks
 * for programs that use MPI, with counters instead of MPI. test_start.py runs it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upcr/barrier.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/link.h"
#include "upcr/misc.h"

static int started, ended, profiled;
static void start(int *argc, char ***argv) {
    (void)argc, (void)argv;
    ++started;
}
static void finish(void) {
    ++ended;
    if (profiled != 1) write(STDERR_FILENO, "profile_finalize did not come first\n", 36);
    if (started == 1 && ended == 1) write(STDOUT_FILENO, "finalized once\n", 15);
}
static void profile(void) { ++profiled; }

void (*UPCRL_mpi_init)(int *, char ***) = start;
void (*UPCRL_mpi_finalize)(void) = finish;
void (*UPCRL_profile_finalize)(void) = profile;
const char *UPCRL_main_name = "main";

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    bupc_init(&argc, &argv);
    bupc_init(&argc, &argv);                    /* the second does nothing, */
    upcr_startup_init(&argc, &argv, 77, 1, ""); /* nor do these */
    upcr_startup_attach(1, 1, 0);
    if (started != 1 || strcmp(UPCRL_main_name, "main") != 0) return 90;
    upcr_barrier(1, 0);
    upcr_barrier(1, 0);
    if (strcmp(how, "return_0") == 0) return 0;
    if (strcmp(how, "return_4") == 0) return 4;
    if (strcmp(how, "bupc_exit") == 0) bupc_exit(upcr_mythread() == 0 ? 0 : 5);
    return 91;
}
