/* SPDX-License-Identifier: BSD-3-Clause */
/* A preloaded library that imitates, for upcrun's standard output, a file system that reports a full disk at close(). */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int close(int fd);
int close(int fd) {
    if (fd == STDOUT_FILENO && (syscall(SYS_close, fd), 1)) {
        errno = EDQUOT;
        return -1;
    }
    return (int)syscall(SYS_close, fd);
}
