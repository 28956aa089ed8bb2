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

static int nested(void) {
    bupc_trace_printf(("inner"));
    return 7;
}

static void odd_texts(void) {
    char text[600];
    bupc_trace_printf((""));
    bupc_trace_printf(("lone \xff byte"));
    for (int i = 0; i < 600; ++i) text[i] = i % 2 == 0 ? '\xc3' : '\xa9'; /* e with an acute accent; 511 bytes cut one */
    text[599] = 0;
    bupc_trace_printf(("%s", text));
    bupc_trace_printf(("outer %d", nested()));
}

/* As a program that has another mask for a while. */
static void other_mask_for_a_while(void) {
    const char *before = bupc_trace_getmask();
    record("B", 1);
    bupc_trace_printf(("left out"));
    record(before, 1);
    bupc_trace_printf(("again %s", bupc_trace_getmask()));
    record(bupc_trace_getmask(), 1);
    bupc_trace_printf(("and again"));
}

/* Accesses with one end in its own memory are no accesses of its own memory alone. */
static void copies(void) {
    record("P", 0);
    upc_memcpy(&words[MYTHREAD], &words[(MYTHREAD + 1) % THREADS], sizeof(int));
    upc_memcpy(&words[(MYTHREAD + 1) % THREADS], &words[MYTHREAD], sizeof(int));
    upc_memcpy(&words[MYTHREAD], &words[MYTHREAD], sizeof(int));
    record(0, 1);
}

int main(int argc, char **argv) {
    char text[2000];
    if (argc > 1) { /* more texts than are kept */
        for (int i = 0; i < 2000; ++i) bupc_trace_printf(("%d %0500d", i, i));
        return 0;
    }
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
    odd_texts();
    other_mask_for_a_while();
    copies();
    printf("evaluated %d\n", evaluated);
    return 0;
}
