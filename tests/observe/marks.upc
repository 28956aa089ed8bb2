/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the program in its timeline, and masks that it sets while it runs. */
#include <stdio.h>
#include <upc.h>

shared int words[THREADS];
int evaluated;

static void access(int value) {
    words[MYTHREAD] = value;
    words[(MYTHREAD + 1) % THREADS] = value;
    upc_barrier;
}

/* The masks are the process's. */
static void record(const char *mask, int local) {
    upc_barrier;
    bupc_trace_setmask(mask);
    bupc_trace_settracelocal(local);
    upc_barrier;
}

int main(void) {
    char text[2000];
    for (int i = 0; i < 3; ++i) bupc_trace_printf(("step %d of \"%s\"", ++evaluated, "all"));
    access(1);
    for (int i = 0; i < 1999; ++i) text[i] = 'x';
    text[1999] = 0;
    bupc_trace_printf(("%s", text));
    record("bh", 1);
    access(2);
    bupc_trace_printf(("barriers and messages"));
    record("P", 0);
    access(3);
    bupc_trace_printf(("%d", ++evaluated));
    record("", 1);
    access(4);
    bupc_trace_printf(("%d", ++evaluated));
    record(0, 1);
    bupc_trace_printf(("end"));
    access(5);
    printf("evaluated %d\n", evaluated);
    return 0;
}
