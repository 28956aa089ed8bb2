/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of generated code, by the name of argv[1]. test_start.py runs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "upcr/barrier.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/misc.h"

static int program(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    upcr_barrier(1, 0);
    if (strcmp(what, "barprintf") == 0) {
        upcri_barprintf("round %d", 1);
        upcri_barprintf("round %d\n", 2);
        return 0;
    }
    if (upcr_mythread() == 1) {
        errno = ENOENT;
        if (strcmp(what, "err") == 0) upcri_err("number %d", 1);
        if (strcmp(what, "errno") == 0) upcri_errno("number %d", 2);
        if (strcmp(what, "gaserr") == 0) upcri_gaserr(10003, "number %d", 3);
        if (strcmp(what, "warn") == 0) upcri_warn("number %d", 4);
        if (strcmp(what, "sleepprintf") == 0) upcri_sleepprintf("number %d", 5);
        if (strcmp(what, "checkmalloc") == 0) printf("%p\n", upcri_checkmalloc((size_t)-1 / 4));
    }
    upcr_barrier(2, 0);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "early_err") == 0) upcri_early_err("number %d", 6);
    bupc_init_reentrant(&argc, &argv, program);
    return 96;
}
