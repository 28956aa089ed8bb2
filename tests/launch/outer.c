/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC program that starts others, for test_inner.py: `outer COMMAND` has the shell run COMMAND in every thread at
 * the same time; COMMAND may start `outer` alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <upcr.h>

static void barrier(void) { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }

int main(int argc, char **argv) {
    upcr_shared_ptr_t sum;
    int me, status = 0;
    bupc_init(&argc, &argv);
    me = (int)upcr_mythread();
    sum = upcr_all_alloc(upcr_threads(), sizeof(int));
    if (argc > 1) {
        status = system(argv[1]);
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
        if (status != 0) printf("FAILED: thread %d: status %d\n", me, status);
    }
    /* The job still works after that. */
    upcr_put_shared_val(upcr_add_shared(sum, sizeof(int), (me + 1) % upcr_threads(), 1), 0, me + 1,
                        sizeof(int));
    barrier();
    printf("%s %d of %d: %d\n", argc > 1 ? "outer" : "inner", me, (int)upcr_threads(),
           (int)upcr_get_shared_val(upcr_add_shared(sum, sizeof(int), me, 1), 0, sizeof(int)));
    fflush(stdout);
    barrier();
    bupc_exit(status);
}
