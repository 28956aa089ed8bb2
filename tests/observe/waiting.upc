/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread 0 never comes to the barrier in which the others wait. */
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>

int main(void) {
    upc_barrier;
    if (MYTHREAD == 0) {
        sleep(1);
        puts("running");
        fflush(stdout);
        for (;;) pause();
    }
    upc_barrier; /* line: barrier */
    return 0;
}
