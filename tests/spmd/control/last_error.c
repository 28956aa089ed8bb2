/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An error that a thread reports while another one ends the process: `last_error ERROR END`. The report goes
 * into a full pipe, which is emptied only after the end has begun, so that it is certainly not over before.
 * test_last_error.py runs it.
 *
 *   ERROR  crash    a store through a bad pointer, on a thread that is not a UPC thread
 *          error    upcri_err() there
 *          none
 *   END    return, upcr_exit, exit, global   on UPC thread 0, with status 0
 *          atexit    likewise, and the error happens in a handler, after the program has left the job
 *          elsewhere   upcr_global_exit(0) on UPC thread 0, the error in the process of UPC thread 1
 *   LAST   a second argument behind END, `race`: no pipe; the error happens at any time
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <upcr.h>

static const char *error, *ending;
static int go = -1; /* a byte in this pipe makes the reader empty the full one */
static volatile pid_t culprit;
static volatile uintptr_t bad = 16;

static void *fail(void *unused) {
    (void)unused;
    culprit = (pid_t)syscall(SYS_gettid);
    if (!strcmp(error, "crash")) *(volatile int *)bad = 1;
    if (!strcmp(error, "error")) upcri_err("the last error");
    return NULL;
}

/* A process of its own: passes on what the pipe holds, but not before the end has begun. In another process than
 * that of the error that end allows a second for everything else. */
static void forward_stderr(int from, int to, int wait_for) {
    char buffer[4096];
    ssize_t got;
    (void)!read(wait_for, buffer, 1);
    usleep(!strcmp(ending, "elsewhere") ? 2000000 : 200000);
    while ((got = read(from, buffer, sizeof buffer)) > 0) {
        const char *text = buffer; /* zeros fill the pipe */
        while (text < buffer + got && *text == 0) ++text;
        (void)!write(to, text, (size_t)(buffer + got - text));
    }
    _exit(0);
}

static void fill_stderr(void) {
    static const char zeros[4096];
    int ends[2], start[2];
    if (pipe2(ends, O_CLOEXEC) != 0 || pipe2(start, O_CLOEXEC) != 0) abort();
    if (fork() == 0) {
        signal(SIGTERM, SIG_IGN); /* as orphans of the job get it */
        close(ends[1]);
        close(start[1]);
        forward_stderr(ends[0], STDERR_FILENO, start[0]);
    }
    go = start[1];
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], zeros, sizeof zeros) > 0) {
    }
    while (write(ends[1], zeros, 1) > 0) {
    }
    fcntl(ends[1], F_SETFL, 0);
    dup2(ends[1], STDERR_FILENO);
}

/* Sleeping in its write. */
static int is_stuck(pid_t thread) {
    char name[64], text[256] = "";
    FILE *file;
    snprintf(name, sizeof name, "/proc/self/task/%d/stat", (int)thread);
    file = fopen(name, "r");
    if (file == NULL) abort();
    (void)!fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return strstr(text, ") S") != NULL;
}

static void start_error(void) {
    pthread_t thread;
    if (!strcmp(error, "none")) return;
    pthread_create(&thread, NULL, fail, NULL);
    if (go < 0) return;
    while (culprit == 0 || !is_stuck(culprit)) usleep(1000);
    (void)!write(go, "x", 1);
}

static int program(int argc, char **argv) {
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    (void)argc;
    (void)argv;
    if (!strcmp(ending, "elsewhere")) {
        if (upcr_mythread() == 1) start_error();
        upcr_barrier(1, 0);
        if (upcr_mythread() == 0) upcr_global_exit(0);
        for (;;) pause();
    }
    if (upcr_mythread() != 0) return 0;
    if (strcmp(ending, "atexit")) start_error();
    if (!strcmp(ending, "upcr_exit")) upcr_exit(0);
    if (!strcmp(ending, "exit")) exit(0);
    if (!strcmp(ending, "global")) upcr_global_exit(0);
    return 0;
}

int main(int argc, char **argv) {
    const struct rlimit none = {0, 0};
    if (argc < 3) return 98;
    setrlimit(RLIMIT_CORE, &none);
    error = argv[1];
    ending = argv[2];
    if (argc < 4) fill_stderr();
    if (!strcmp(ending, "atexit"))
        atexit(start_error); /* before the runtime's own handler: called after it */
    bupc_init_reentrant(&argc, &argv, program);
    return 0;
}
