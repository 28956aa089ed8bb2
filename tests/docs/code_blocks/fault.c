/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/how-to/debugging.md: MPI's rank 0 alone changes a packet that it sends, so that it is known which one arrives. */
#include <stdlib.h>
#include <string.h>

static void __attribute__((constructor)) flip(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank) rank = getenv("PMI_RANK");
    if (rank && strcmp(rank, "0") == 0) setenv("UPCR_FAULT", "flip=100:37", 1);
}
