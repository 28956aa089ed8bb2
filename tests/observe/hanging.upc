/* SPDX-License-Identifier: BSD-3-Clause */
/* Hangs in the way that the first argument names. The second is a file that no process but these makes. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

/* The root of a broadcast waits until the others have its data. */
#define MYSYNC (UPC_IN_MYSYNC | UPC_OUT_MYSYNC)

shared int values[THREADS], results[THREADS];
upc_lock_t *lock;

static void wait_for_ever(void) {
    for (;;) pause();
}

/* The process of this thread polls no more when the file is there. */
static void compute_for_ever(const char *file) {
    close(open(file, O_CREAT | O_WRONLY, 0600));
    wait_for_ever();
}

static void wait_for(const char *file) {
    while (access(file, F_OK) != 0) usleep(1000);
}

static int hang(const char *how, const char *file) {
    if (strcmp(how, "holder left") == 0) {
        if (MYTHREAD == 0) upc_lock(lock);
        upc_barrier;
        if (MYTHREAD == 0) return 0;
        upc_lock(lock); /* line: left lock */
    } else if (strcmp(how, "holder in barrier") == 0) {
        if (MYTHREAD == 0) upc_lock(lock);
        upc_barrier;
        if (MYTHREAD != 0) upc_lock(lock); /* line: lock before barrier */
        upc_barrier 7;                     /* line: barrier with lock */
    } else if (strcmp(how, "holder computes") == 0) {
        if (MYTHREAD == 0) upc_lock(lock);
        upc_barrier;
        if (MYTHREAD == 0) wait_for_ever();
        upc_lock(lock); /* line: computing lock */
    } else if (strcmp(how, "left") == 0) {
        if (MYTHREAD == 0) return 0;
        if (MYTHREAD == 1) upc_barrier; /* line: left barrier */
        wait_for_ever();
    } else if (strcmp(how, "missed") == 0) {
        if (MYTHREAD == 0) wait_for_ever();
        if (MYTHREAD == 1) upc_barrier; /* line: one */
        upc_barrier;                    /* line: other */
    } else if (strcmp(how, "collectives") == 0) {
        if (MYTHREAD == 0)
            upc_all_broadcast(results, &values[0], sizeof(int), MYSYNC); /* line: broadcast */
        else
            upc_all_reduceI(&results[1], values, UPC_ADD, THREADS, 1, 0, MYSYNC); /* line: reduce */
    } else if (strcmp(how, "roots") == 0) {
        upc_all_broadcast(results, &values[MYTHREAD], sizeof(int), MYSYNC); /* line: roots */
    } else if (strcmp(how, "collective and barrier") == 0) {
        if (MYTHREAD == 0)
            upc_all_broadcast(results, &values[0], sizeof(int), MYSYNC); /* line: alone */
        else
            upc_barrier; /* line: with nobody */
    } else if (strcmp(how, "missed collective") == 0) {
        if (MYTHREAD == 0) wait_for_ever();
        upc_all_broadcast(results, &values[0], sizeof(int), 0); /* line: missed */
    } else if (strcmp(how, "no answer") == 0) {
        if (MYTHREAD == 1) compute_for_ever(file);
        wait_for(file);
        results[0] = values[1]; /* line: get */
    }
    return 0;
}

int main(int argc, char **argv) {
    lock = upc_all_lock_alloc();
    upc_barrier;
    return argc > 2 ? hang(argv[1], argv[2]) : 0;
}
