/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC program (by hand, so that no translator is needed) that ends in the ways of test_upc.py:
 * `upc_program ACTION [THREAD [VALUE]]`. Threads other than THREAD wait in a barrier, a lock, or spin.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <upcr.h>

/* Replaces the descriptor by /dev/zero, which is always readable, or by another socket. */
static void replace(int fd, const char *by) {
    if (dup2(strcmp(by, "socket") ? open("/dev/zero", O_RDWR) : socket(AF_UNIX, SOCK_STREAM, 0), fd) != fd)
        abort();
}

/* The socket by which processes that upcrun has not started learn of the job's end, or the event beside it. */
static void replace_end(const char *which) {
    static const char name[] = "upcr-end-";
    struct sockaddr_un address;
    int fd;
    for (fd = 3; fd < 1024; ++fd) {
        socklen_t length = sizeof address;
        memset(&address, 0, sizeof address);
        if (getsockname(fd, (struct sockaddr *)&address, &length) == 0 && address.sun_family == AF_UNIX &&
            memcmp(address.sun_path + 1, name, sizeof name - 1) == 0)
            break;
    }
    if (!strcmp(which, "event")) {
        char link[32], what[64];
        do {
            if (++fd >= 1024) abort();
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            memset(what, 0, sizeof what);
        } while (readlink(link, what, sizeof what - 1) < 0 || strcmp(what, "anon_inode:[eventfd]"));
    }
    replace(fd, which);
}

static void barrier(void) { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }

static int program(int argc, char **argv) {
    const char *action = argc > 1 ? argv[1] : "";
    const int chosen = argc > 2 ? atoi(argv[2]) : 0;
    const int value = argc > 3 ? atoi(argv[3]) : 0;
    const char *place = argc > 4 ? argv[4] : "barrier";
    const int mine = (int)upcr_mythread() == chosen;
    upcr_shared_ptr_t lock = upcr_all_lock_alloc();

    const char *file = getenv("DELETE_ON_CLOSE");
    if (file != NULL) { /* UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_DELETE_ON_CLOSE of UPC 1.3 */
        const upcr_pshared_ptr_t fd = _upcr_all_fopen(file, 4 | 8 | 64 | 1024, 0, NULL);
        if (upcr_isnull_pshared(fd)) return perror(file), 99;
        if (!strcmp(action, "close")) return _upcr_all_fclose(fd);
        if (!strcmp(action, "replace") && upcr_mythread() == 0) {
            unlink(file);
            fclose(fopen(file, "w")); /* a new file of that name */
            upcr_global_exit(value);
        }
    }
    if (mine) upcr_lock(lock);
    barrier();
    if (!strcmp(action, "status")) return (int)upcr_mythread() == chosen ? value : 0;
    if (!strcmp(action, "buffered")) {
        static char buffer[4096]; /* needed because MPICH sets a buffer of one byte for stdout */
        if (upcri_mypthread() == 0) setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
        barrier();
        printf("buffered line of %d\n", (int)upcr_mythread());
        barrier();
    } else {
        printf("ready\n");
    }
    if (mine) {
        usleep(50000); /* the others are asleep */
        if (!strcmp(action, "global-exit") || !strcmp(action, "buffered")) upcr_global_exit(value);
        if (!strcmp(action, "exit")) exit(value);
        if (!strcmp(action, "_exit")) _exit(value);
        if (!strcmp(action, "raise")) raise(value);
        if (!strcmp(action, "silent")) (void)!freopen("/dev/null", "w", stderr);
        if (!strcmp(action, "mute")) close(2);
        if (!strcmp(action, "crash") || !strcmp(action, "silent") || !strcmp(action, "mute"))
            *(volatile int *)8 = 0;
        if (!strcmp(action, "close")) (void)close_range(3, ~0u, 0);
        if (!strcmp(action, "reuse")) replace(value, argc > 5 ? argv[5] : "");
        if (!strcmp(action, "reuse-end")) replace_end(argv[5]);
        if (!strcmp(action, "big-file")) (void)!pwrite(fileno(tmpfile()), "x", 1, (off_t)value << 20);
        if (!strcmp(action, "misuse")) upcr_free(upcr_add_shared(lock, 1, 8, 0)); /* no object starts there */
    }
    if (!strcmp(place, "lock") && !mine) upcr_lock(lock); /* which the chosen thread holds */
    if (!strcmp(place, "spin"))
        for (;;) upcr_poll();
    if (!strcmp(place, "compute"))
        for (;;) __asm__ volatile("");
    if (mine)
        for (;;) pause();
    barrier();
    return 0;
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, &program);
    return 0;
}
