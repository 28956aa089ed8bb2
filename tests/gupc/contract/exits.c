/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exits WAY: how a program can end, with a status of its own each. Has a main() of its own, which starts it. The
 * last thread ends it, while others wait in a barrier or, where all must leave, do the same.
 */
#include "contract.h"

int main(int argc, char **argv) {
    puts("main");
    fflush(stdout);
    return __upc_start(argc, argv);
}

int upc_main(int argc, char **argv) {
    const char *const mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "exit") == 0) __upc_exit(21);
    if (strcmp(mode, "exitg") == 0) __upc_exitg(22, HERE);
    if (strcmp(mode, "return") == 0) return 23;
    if (MYTHREAD == THREADS - 1) {
        if (strcmp(mode, "global") == 0) upc_global_exit(24);
        if (strcmp(mode, "globalg") == 0) upc_global_exitg(25, HERE);
        if (strcmp(mode, "fatal") == 0) __upc_fatal("what the program says");
        fprintf(stderr, "no such mode: %s\n", mode);
        return 26;
    }
    barrier_all();
    return 0;
}
