/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages' client of GASNet: a few gets, puts and Short requests to the other node. */
#include <gasnet.h>

static volatile int arrived;

static void request(gasnet_token_t token) {
    (void)token;
    arrived++;
}

int main(int argc, char **argv) {
    gasnet_handlerentry_t table[] = {{200, (void (*)())request}};
    gasnet_seginfo_t segments[64];
    char bytes[32] = "text";
    gasnet_init(&argc, &argv);
    if (gasnet_nodes() > 64 || gasnet_attach(table, 1, GASNET_PAGESIZE, 0) != GASNET_OK) gasnet_exit(1);
    gasnet_getSegmentInfo(segments, 64);
    const gasnet_node_t other = (gasnet_mynode() + 1) % gasnet_nodes();
    for (int i = 0; i < 4; i++) {
        gasnet_put(other, segments[other].addr, bytes, 8);
        gasnet_get(bytes, other, segments[other].addr, sizeof bytes);
        gasnet_AMRequestShort0(other, 200);
    }
    GASNET_BLOCKUNTIL(arrived == 4);
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_exit(0);
}
