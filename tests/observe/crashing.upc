/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread 1 reads through a null pointer in a function that is inlined, or misses a barrier when there is an argument. */
#include <upc_relaxed.h>

static inline int read_value(volatile int *p) {
    return *p; /* line: read */
}
static int value_of(volatile int *p) {
    return read_value(p) + 1; /* line: call */
}

int main(int argc, char **argv) {
    if (argc == 1 && MYTHREAD == 1) return value_of(NULL); /* line: main */
    upc_barrier MYTHREAD;                                  /* line: barrier */
    return 0;
}
