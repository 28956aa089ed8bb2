/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_global_exit ends all threads with its status, wherever they are. */
#include <upc.h>
#include <stdio.h>
strict shared int never;
int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        puts("done");
        fflush(stdout);
        upc_global_exit(0);
    }
    while (!never)
        ;
    return 7;
}
