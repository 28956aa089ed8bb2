/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every way in which a UPC program can end, by the name of argv[1]. Each thread writes a line into stdout's
 * buffer, and one into that of the file argv[2]; both must be flushed at every end. test_ends.py runs it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "upcr/barrier.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/misc.h"

static const char *how;
static volatile uintptr_t bad = 16;
static __thread unsigned mine;

static int is(const char *name) { return strcmp(how, name) == 0; }
static void sleep_forever(void) {
    for (;;) pause();
}
static void *global_exit_elsewhere(void *unused) {
    (void)unused;
    upcr_global_exit(21);
}
static void *print_later(void *unused) {
    (void)unused;
    usleep(300000);
    printf("later\n");
    return NULL;
}
static void barrier_in_handler(void *unused) {
    (void)unused;
    upcr_barrier(3, 0);
    printf("handler\n");
}
static void pthread_exit_at_exit(void) {
    printf("atexit\n");
    pthread_exit(NULL);
}
static void print_at_exit(void) { printf("atexit\n"); }

/* After the barrier all lines are in their buffers. */
static int end(void) {
    mine = upcr_mythread();
    if (is("return")) return 0;
    if (is("return_3")) return mine == 1 ? 3 : 0;
    if (is("upcr_exit")) upcr_exit(0);
    if (is("upcr_exit_5")) upcr_exit(5);
    if (is("bupc_exit")) bupc_exit(mine == 0 ? 6 : 0);
    if (is("upcri_do_exit")) upcri_do_exit(0);
    if (is("exit_0")) exit(0);
    if (is("exit_mixed")) { /* plain exit on some threads, the runtime's on others */
        if (mine % 2) exit(0);
        upcr_exit(mine == 2 ? 8 : 0);
    }
    if (is("exit_7")) {
        if (mine == 1) exit(7);
        sleep_forever();
    }
    if (is("atexit")) {
        if (mine == 0) atexit(print_at_exit);
        upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
        return 0;
    }
    if (is("pthread_exit")) pthread_exit(NULL);
    if (is("pthread_exit_some")) { /* the others end as usual, with another status */
        if (mine % 2 == 0) pthread_exit((void *)&bad);
        return mine == 3 ? 4 : 0;
    }
    if (is("pthread_exit_helper")) { /* C: the process ends with its last thread */
        pthread_t helper;
        pthread_create(&helper, NULL, print_later, NULL);
        pthread_exit(NULL);
    }
    if (is("pthread_exit_handlers")) { /* the program's cleanup handlers run first, and may communicate */
        pthread_cleanup_push(barrier_in_handler, NULL);
        pthread_exit(NULL);
        pthread_cleanup_pop(0);
    }
    if (is("pthread_exit_atexit")) {
        if (mine == 0) atexit(pthread_exit_at_exit);
        return 0;
    }
    if (is("pthread_exit_in_barrier")) {
        if (mine == 2) pthread_exit(NULL);
        upcr_barrier(7, 0);
        return 0;
    }
    if (is("pthread_exit_notified")) {
        upcr_notify(7, 0);
        pthread_exit(NULL);
    }
    if (is("pthread_cancel")) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
    if (is("pthread_exit_fork")) { /* a child that is forked is an ordinary process */
        int status = -1;
        pid_t child;
        upcr_barrier(2, 0);
        child = fork();
        if (child == 0) pthread_exit(NULL);
        waitpid(child, &status, 0);
        upcr_barrier(2, 0);
        return status == 0 ? 0 : 1;
    }
    if (is("global")) {
        if (mine == upcr_threads() - 1) upcr_global_exit(9);
        sleep_forever();
    }
    if (is("global_0")) {
        if (mine == upcr_threads() - 1) upcr_global_exit(0);
        sleep_forever();
    }
    if (is("global_all")) /* several threads with different statuses, one of which becomes the job's */
        upcr_global_exit(10 + (int)mine);
    if (is("global_pthread")) { /* a thread that is not a UPC thread */
        if (mine == 0) {
            pthread_t helper;
            pthread_create(&helper, NULL, global_exit_elsewhere, NULL);
        }
        sleep_forever();
    }
    if (is("global_while_reading")) { /* thread 0 holds the lock of stdin */
        char line[8];
        if (mine == 0) return fgets(line, sizeof line, stdin) != NULL;
        sleep(1);
        upcr_global_exit(12);
    }
    if (is("error_while_reading")) {
        char line[8];
        if (mine == 0) return fgets(line, sizeof line, stdin) != NULL;
        sleep(1);
        upcri_err("reading");
    }
    if (is("error")) {
        if (mine == 1) upcri_err("the program's own %s %d", "trouble", 42);
        sleep_forever();
    }
    if (is("segv")) {
        if (mine == 1) *(volatile int *)bad = 1;
        sleep_forever();
    }
    if (is("abort")) {
        if (mine == 1) abort();
        sleep_forever();
    }
    if (is("kill")) {
        if (mine == 1) raise(SIGKILL);
        sleep_forever();
    }
    if (is("fork")) { /* a child's exit does not concern the job */
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            if (mine % 3 == 0) exit(0);
            if (mine % 3 == 1) upcri_do_exit(0);
            upcr_global_exit(0);
        }
        waitpid(child, &status, 0);
        upcr_barrier(2, 0);
        return status == 0 ? 0 : 1;
    }
    if (is("notified")) {
        upcr_notify(7, 0);
        return 0;
    }
    if (is("in_barrier")) {
        if (mine == 2) return 0;
        upcr_barrier(7, 0);
        return 0;
    }
    if (is("in_split_barrier")) { /* the others are not waiting yet when thread 2 ends */
        if (mine == 2) return 0;
        upcr_notify(7, 0);
        sleep(1);
        upcr_wait(7, 0);
        return 0;
    }
    fprintf(stderr, "no such end: %s\n", how);
    return 99;
}

static int program(int argc, char **argv) {
    char name[512];
    FILE *file;
    UPCR_BEGIN_FUNCTION();
    if (argc < 3) return 98;
    if (upcri_mypthread() == 0) how = argv[1];
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    snprintf(name, sizeof name, "%s/%u", argv[2], upcr_mythread());
    file = fopen(name, "w");
    if (file == NULL) return 97;
    fprintf(file, "file of %u\n", upcr_mythread());
    printf("thread %u\n", upcr_mythread());
    upcr_barrier(1, 0);
    return end();
}

int main(int argc, char **argv) {
    if (argc > 2 && strncmp(argv[1], "embed_", 6) == 0) { /* no frame of the runtime below main() */
        int status;
        argv[1] += 6;
        bupc_init(&argc, &argv);
        status = program(argc, argv);
        if (status != 0 || is("return")) bupc_exit(status);
        pthread_exit(NULL);
    }
    bupc_init_reentrant(&argc, &argv, program);
    return 96;
}
