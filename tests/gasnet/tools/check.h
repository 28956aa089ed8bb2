/* SPDX-License-Identifier: BSD-3-Clause */
/* Common functions of the programs of this folder: CHECK, and the output and end of a function that is to fail. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(cond)                                                                    \
    do {                                                                               \
        if (!(cond)) {                                                                 \
            fprintf(stderr, "%s:%d: '%s' does not hold\n", __FILE__, __LINE__, #cond); \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

/* Runs `body` in a child process; its stderr in `text`. Returns its wait status. */
static __inline__ int run_child(void (*body)(void), char *text, size_t size) {
    int ends[2], status = 0;
    size_t used = 0;
    ssize_t n;
    pid_t child;
    CHECK(pipe(ends) == 0);
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        body();
        exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], text + used, size - 1 - used)) > 0) used += (size_t)n;
    text[used] = '\0';
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

/* The child must abort, with `words` in its message. */
static __inline__ void check_fatal(void (*body)(void), const char *words, const char *file, int line) {
    static char text[65536];
    const int status = run_child(body, text, sizeof text);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != 6 || !strstr(text, "*** FATAL ERROR: ") ||
        !strstr(text, words)) {
        fprintf(stderr, "%s:%d: status %#x, expected an abort with '%s' but read:\n%s", file, line,
                (unsigned)status, words, text);
        exit(1);
    }
}
#define CHECK_FATAL(body, words) check_fatal(body, words, __FILE__, __LINE__)
