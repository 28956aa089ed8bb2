/* SPDX-License-Identifier: BSD-3-Clause */
/* A GASNet client, in C and C++: every node sends its number + 1 to node 0. */
#include <gasnet.h>
#include <stdio.h>

#if GASNET_SEQ
#define MODE "seq"
#elif GASNET_PARSYNC
#define MODE "parsync"
#else
#define MODE "par"
#endif

static int sum, received;
static void add(gasnet_token_t token, gasnet_handlerarg_t value) {
    (void)token;
    sum += value;
    ++received;
}

int main(int argc, char **argv) {
    gasnet_handlerentry_t table[] = {{200, (void (*)())add}};
    if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
    if (gasnet_attach(table, 1, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
    gasnet_AMRequestShort1(0, 200, gasnet_mynode() + 1);
    if (gasnet_mynode() == 0) {
        GASNET_BLOCKUNTIL(received == (int)gasnet_nodes());
        printf("gasnet " MODE ": sum %d of %d nodes, " GASNET_CONDUIT_NAME_STR "\n", sum,
               (int)gasnet_nodes());
    }
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_exit(0);
    return 0;
}
