/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers that must work, by argv[1]. "split" needs a directory in argv[2], where threads create files: they
 * see each other this way without polling by the thread that computes. test_barriers.py runs it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "upcr/barrier.h"
#include "upcr/heap.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/misc.h"

static void fail(const char *what, int line) {
    fprintf(stderr, "FAILED on thread %u, line %d: %s\n", upcr_mythread(), line, what);
    upcr_global_exit(1);
}
#define CHECK(cond) ((cond) ? (void)0 : fail(#cond, __LINE__))

/* A file for each thread and phase. */
static __thread const char *directory;
static void mark_name(char *name, unsigned thread, int phase) {
    sprintf(name, "%s/%u.%d", directory, thread, phase);
}
static void leave_mark(int phase) {
    char name[512];
    FILE *file;
    mark_name(name, upcr_mythread(), phase);
    file = fopen(name, "w");
    CHECK(file != NULL);
    fclose(file);
}
static int sees_mark(unsigned thread, int phase) {
    char name[512];
    struct stat unused;
    mark_name(name, thread, phase);
    return stat(name, &unused) == 0;
}

/* After notify, one thread computes and does not poll; all others must pass. */
static void split(void) {
    unsigned busy, t;
    const unsigned threads = upcr_threads();
    for (busy = 0; busy<threads; busy += threads> 1 ? threads - 1 : 1) {
        upcr_notify((int)busy, 0);
        if (upcr_mythread() == busy) {
            const time_t deadline = time(NULL) + 60;
            for (t = 0; t < threads; ++t)
                while (t != busy && !sees_mark(t, (int)busy)) CHECK(time(NULL) < deadline);
        }
        upcr_wait((int)busy, 0);
        leave_mark((int)busy);
        upcr_barrier(1000, 0);
    }
}

/* No thread passes before the last has notified. */
static void held_back(void) {
    int phase;
    for (phase = 0; phase < 3; ++phase) {
        const unsigned last = (unsigned)phase % upcr_threads();
        upcr_barrier(-1, 0);
        if (upcr_mythread() == last) {
            usleep(50000);
            leave_mark(phase);
        }
        upcr_barrier(phase, 0);
        CHECK(sees_mark(last, phase));
    }
}

static void values(void) {
    const int me = (int)upcr_mythread();
    int i;
    upcr_barrier(2147483647, 0);
    upcr_barrier(-2147483647 - 1, 0);
    upcr_barrier((int)UPCR_FINAL_BARRIER_VALUE, 0); /* only a number here */
    upcr_barrier((int)UPCR_BARRIERVAL_ANONYMOUS, 0);
    upcr_barrier(me, UPCR_BARRIERFLAG_ANONYMOUS);                           /* values are ignored */
    upcr_barrier(me % 2 ? 9 : me, me % 2 ? 0 : UPCR_BARRIERFLAG_ANONYMOUS); /* match the named ones */
    upcr_barrier(me, UPCR_BARRIERFLAG_UNNAMED);
    upcr_notify(me, UPCR_BARRIERFLAG_ANONYMOUS); /* and a thread's own notify and wait */
    upcr_wait(3, 0);
    upcr_notify(4, 0);
    upcr_wait(5, UPCR_BARRIERFLAG_ANONYMOUS);
    for (i = 0; i < 200; ++i) {
        if (i % 3 == me % 3) {
            upcr_barrier(i, 0);
        } else {
            upcr_notify(i, 0);
            upcr_wait(i, 0);
        }
    }
}

static void try_wait(void) {
    int phase;
    for (phase = 0; phase < 50; ++phase) {
        int tries = 0;
        upcr_notify(phase, 0);
        if ((unsigned)phase % upcr_threads() == upcr_mythread())
            upcr_wait(phase, 0);
        else
            while (!upcr_try_wait(phase, 0))
                if (++tries % 1000 == 0) usleep(100);
    }
    upcr_barrier(50, 0);
    /* Not yet: the last thread waits until the others have tested. */
    if (upcr_mythread() == upcr_threads() - 1) {
        unsigned t;
        for (t = 0; t + 1 < upcr_threads(); ++t)
            while (!sees_mark(t, 0)) upcr_poll_nofence();
        upcr_barrier(51, 0);
    } else {
        upcr_notify(51, 0);
        CHECK(upcr_try_wait(51, 0) == 0);
        leave_mark(0);
        while (!upcr_try_wait(51, 0)) upcr_poll_nofence();
    }
}

static void many(void) {
    int i;
    for (i = 0; i < 2000; ++i) upcr_barrier(i, 0);
}

static int wrong(const char *how) {
    const int me = (int)upcr_mythread();
    if (!strcmp(how, "mismatch"))
        upcr_barrier(me == 1 ? 40 : 30, 0);
    else if (!strcmp(how, "mismatch_own")) {
        upcr_notify(30, 0);
        upcr_wait(31, 0);
    } else if (!strcmp(how, "mismatch_unnamed"))
        upcr_barrier(30, me == 0 ? UPCR_BARRIERFLAG_UNNAMED : UPCR_BARRIERFLAG_ANONYMOUS);
    else if (!strcmp(how, "wait_first"))
        upcr_wait(1, 0);
    else if (!strcmp(how, "try_first"))
        (void)upcr_try_wait(1, 0);
    else if (!strcmp(how, "lonely")) {
        if (upcr_mythread() == 1) (void)upcr_all_alloc(2, 64);
        upcr_exit(0);
    } else if (!strcmp(how, "notify_twice")) {
        upcr_notify(1, 0);
        upcr_notify(2, 0);
    } else if (!strcmp(how, "barrier_inside")) {
        upcr_notify(1, 0);
        upcr_barrier(1, 0);
    } else
        return 99;
    upcr_barrier(60, 0);
    return 0;
}

static int program(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    UPCR_BEGIN_FUNCTION();
    directory = argc > 2 ? argv[2] : ".";
    UPCR_SET_SRCPOS("barriers.upc", 7);
    if (strcmp(how, "right") != 0) return wrong(how);
    values();
    held_back();
    directory = argc > 3 ? argv[3] : ".";
    try_wait();
    directory = argc > 4 ? argv[4] : ".";
    split();
    many();
    return 0;
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, program);
    return 96;
}
