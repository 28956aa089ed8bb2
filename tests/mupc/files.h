/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words between threads of which one calls nothing of the runtime: files in the folder for temporary ones, that is
 * $TMPDIR or /tmp. `run` is a number that all threads of this run have and no other run: a process id.
 */
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { kFileDeadline = 120 /* seconds */ };

/* Good until the next call. */
static const char *file_of(int run, const char *what, int number) {
    static char path[512];
    const char *const folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/upcr-test.%d.%s.%d", folder != NULL ? folder : "/tmp", run, what, number);
    return path;
}

static void make_file(const char *path) {
    const int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0) {
        perror(path);
        abort();
    }
    close(fd);
}

static __attribute__((unused)) int there_is(const char *path) {
    const struct timespec ms = {0, 1000000};
    nanosleep(&ms, NULL);
    return access(path, F_OK) == 0;
}

/* Waits until the file exists, and removes it. */
static __attribute__((unused)) void wait_for_file(const char *path) {
    const time_t end = time(NULL) + kFileDeadline;
    while (!there_is(path))
        if (time(NULL) > end) {
            fprintf(stderr, "no thread has made %s in %d s: a call waited for a thread that does not poll\n",
                    path, kFileDeadline);
            abort();
        }
    unlink(path);
}
