/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes barriers until it is killed. */
#include <stdio.h>
#include <upc_relaxed.h>

int main(void) {
    for (int i = 0;; ++i) {
        upc_barrier; /* line: barrier */
        if (i == 1000 && MYTHREAD == 0) {
            puts("running");
            fflush(stdout);
        }
    }
}
