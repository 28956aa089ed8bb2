/* SPDX-License-Identifier: BSD-3-Clause */
/* A job that is little more than its start and its end. */
#include "hello.h"

static int run(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return greet();
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, run);
    return 1; /* not reached */
}
