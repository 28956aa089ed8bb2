/* SPDX-License-Identifier: BSD-3-Clause */
/* hanging_gasnet HOW FILE: a GASNet client that hangs. "missed": node 0 computes while the others are in their second
 * barrier. "no answer": node 0 gets from node 1, which computes and does not poll. "blocked": node 0 waits for a condition
 * that nobody makes true. FILE: one that this program makes. */
#include <fcntl.h>
#include <gasnet.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define CHECK(call)                              \
    do {                                         \
        if ((call) != GASNET_OK) gasnet_exit(9); \
    } while (0)

/* This node polls no more when the file is there. */
static void compute(const char *file) {
    close(open(file, O_CREAT | O_WRONLY, 0600));
    for (volatile uint64_t i = 0;; ++i) {
    }
}

int main(int argc, char **argv) {
    CHECK(gasnet_init(&argc, &argv));
    CHECK(gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0));
    gasnet_seginfo_t *segments = __builtin_malloc(gasnet_nodes() * sizeof *segments);
    CHECK(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()));
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    CHECK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
    int never = 0;
    if (strcmp(argv[1], "blocked") == 0 && gasnet_mynode() == 0) GASNET_BLOCKUNTIL(*(volatile int *)&never);
    const int missed = strcmp(argv[1], "missed") == 0;
    if (strcmp(argv[1], "blocked") != 0 && gasnet_mynode() == (missed ? 0u : 1u)) compute(argv[2]);
    if (strcmp(argv[1], "no answer") == 0 && gasnet_mynode() == 0) {
        char word[8];
        while (access(argv[2], F_OK) != 0) usleep(1000);
        gasnet_get(word, 1, segments[1].addr, sizeof word);
    }
    gasnet_barrier_notify(7, 0);
    CHECK(gasnet_barrier_wait(7, 0));
    gasnet_exit(0);
}
