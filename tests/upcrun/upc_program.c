/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC program (by hand, so that no translator is needed) that ends in the ways of test_upc.py:
 * `upc_program ACTION [THREAD [VALUE]]`. Threads other than THREAD wait in a barrier, a lock, or spin.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upcr.h>

static void barrier(void) { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }

static int program(int argc, char **argv)
{
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
            fclose(fopen(file, "w")); /* another one */
            upcr_global_exit(value);
        }
    }
    if (mine) upcr_lock(lock);
    barrier();
    if (!strcmp(action, "status")) return (int)upcr_mythread() == chosen ? value : 0;
    if (!strcmp(action, "buffered")) {
        static char buffer[4096]; /* of its own: MPICH has left stdout one of a byte */
        if (upcri_mypthread() == 0) setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
        barrier();
        printf("last words of %d\n", (int)upcr_mythread());
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
        if (!strcmp(action, "crash")) *(volatile int *)8 = 0;
        if (!strcmp(action, "close")) (void)close_range(3, ~0u, 0);
        if (!strcmp(action, "big-file")) (void)!pwrite(fileno(tmpfile()), "x", 1, (off_t)value << 20);
        if (!strcmp(action, "misuse")) upcr_free(upcr_add_shared(lock, 1, 8, 0)); /* no object starts there */
    }
    if (!strcmp(place, "lock") && !mine) upcr_lock(lock); /* which the chosen thread holds */
    if (!strcmp(place, "spin")) for (;;) upcr_poll();
    if (!strcmp(place, "compute")) for (;;) __asm__ volatile("");
    if (mine) for (;;) pause();
    barrier();
    return 0;
}

int main(int argc, char **argv)
{
    bupc_init_reentrant(&argc, &argv, &program);
    return 0;
}
