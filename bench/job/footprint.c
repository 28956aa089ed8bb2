/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a process at the end of a hello: the heap was asked for, and next to nothing of it touched. */
#include "hello.h"
#include "status.h"

static int run(int argc, char **argv) {
    const int wrong = greet();
    const unsigned threads_here = upcr_threads() / upcr_nodes();

    (void)argc;
    (void)argv;
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    if (upcr_mythread() % threads_here == 0) print_status(threads_here);
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    return wrong;
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, run);
    return 1; /* not reached */
}
