/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/observing.md: a job that is killed when both threads have made their files `began0` and `began1`. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>

int main(void) {
    char name[16];
    snprintf(name, sizeof name, "began%d", MYTHREAD);
    upc_barrier;
    close(open(name, O_CREAT | O_WRONLY, 0600));
    pause();
    return 0;
}
