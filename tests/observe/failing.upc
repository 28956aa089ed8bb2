/* SPDX-License-Identifier: BSD-3-Clause */
/* failing.upc crash | free: all threads fail at the same line. */
#include <string.h>
#include <upc.h>

int main(int argc, char **argv) {
    upc_barrier;
    if (argc > 1 && strcmp(argv[1], "crash") == 0) return *(volatile int *)NULL; /* line: crash */
    shared int *memory = upc_alloc(8);
    upc_free(memory);
    upc_free(memory); /* line: free */
    return 0;
}
