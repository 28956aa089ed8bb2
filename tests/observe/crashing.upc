/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread 1 reads through a null pointer in a function that is inlined, or with an argument misses a barrier, or with
 * "copy" gives the runtime private memory that there is not, or with "call" calls a function that there is not, or with
 * "shared" reads through a null pointer-to-shared. */
#include <string.h>
#include <upc_relaxed.h>

shared [4096] char memory[4096 * THREADS];
shared [] int *unset;

static inline int read_value(volatile int *p) {
    return *p; /* line: read */
}
static int value_of(volatile int *p) {
    return read_value(p) + 1; /* line: call */
}

static void memory_of(void) {
}

int main(int argc, char **argv) {
    if (argc == 1 && MYTHREAD == 1) return value_of(NULL); /* line: main */
    if (argc > 1 && strcmp(argv[1], "copy") == 0 && MYTHREAD == 1)
        upc_memput(memory, (void *)(16 + argc), 4096);     /* line: copy */
    if (argc > 1 && strcmp(argv[1], "call") == 0 && MYTHREAD == 1) ((void (*)(void))(argc == 2 ? NULL : memory_of))();
    if (argc > 1 && strcmp(argv[1], "shared") == 0 && MYTHREAD == 1) return *unset; /* line: shared */
    upc_barrier MYTHREAD;                                  /* line: barrier */
    return 0;
}
