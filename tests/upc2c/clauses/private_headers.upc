/* SPDX-License-Identifier: BSD-3-Clause */
/* Headers before and after upc.h, with macros that change them; names that runtime headers must not take. */
#define _GNU_SOURCE
#include <math.h>
#include <upc.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <complex.h>
shared double total[THREADS];
static int handle, node, rank, job, team, get, put, address, phase, thread;

int main(void) {
    struct stat info;
    char *copy = strdup("text");
    double complex z = 3 + 4 * I;
    if (stat("/", &info) != 0 || !S_ISDIR(info.st_mode)) return 1;
    errno = 0;
    if (strtol("12x", NULL, 10) != 12 || errno != 0 || cabs(z) != 5 || copy == NULL || strcmp(copy, "text")) return 2;
    free(copy);
    total[MYTHREAD] = sqrt(16.0) + handle + node + rank + job + team + get + put + address + phase + thread;
    upc_barrier;
    if (total[THREADS - 1] != 4.0 || INT_MAX != 2147483647) return 3;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
