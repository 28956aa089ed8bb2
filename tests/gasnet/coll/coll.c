/* SPDX-License-Identifier: BSD-3-Clause */
/* gasnet_coll_init and gasnet_coll_broadcast as self-checking clients use them, with gasnet.h alone. */
#include "../client.h"

#define FLAGS (GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)

static unsigned char big[300000], sent[300000];

static void sum(void *results, size_t result_count, const void *left, size_t left_count, const void *right,
                size_t size, int flags, int arg) {
    size_t i;
    (void)left_count, (void)size, (void)flags, (void)arg;
    for (i = 0; i < result_count; ++i)
        ((long *)results)[i] = ((const long *)left)[i] + ((const long *)right)[i];
}

int main(int argc, char **argv) {
    gasnet_node_t root, i;
    int id = 0, round;
    gasnet_coll_fn_entry_t table[] = {{sum, 0}};
    long mine = 1, all = 0;
    CALL(gasnet_init(&argc, &argv));
    CALL(gasnet_attach(NULL, 0, 4 * GASNET_PAGESIZE, 0));
    gasnet_coll_init(0, 0, 0, 0, 0);
    gasnet_coll_init(0, 0, table, 1, 0); /* the first call passed no functions */
    gasnet_coll_init(0, 0, 0, 0, 0);
    gasnet_coll_reduce(GASNET_TEAM_ALL, 0, &all, &mine, 0, 0, sizeof mine, 1, 0, 0, FLAGS);
    CHECK(all == (gasnet_mynode() == 0 ? (long)gasnet_nodes() : 0));
    CALL(gasnet_barrier(0x5eed, 0));
    for (round = 0; round < effort(20); ++round) {
        for (root = 0; root < gasnet_nodes(); ++root) {
            int on_stack = gasnet_mynode() == root ? 1000 * round + (int)root : -1;
            const size_t n = round % 3 == 0 ? 300000 : 1 + (size_t)round * 1237 % 5000;
            gasnet_coll_broadcast(GASNET_TEAM_ALL, &on_stack, root, &on_stack, sizeof on_stack, FLAGS);
            CHECK(on_stack == 1000 * round + (int)root);
            memset(big, 0x11, sizeof big);
            for (i = 0; i < n; ++i) sent[i] = (unsigned char)(i * 7 + root + (unsigned)round);
            gasnet_coll_broadcast(GASNET_TEAM_ALL, big, root, gasnet_mynode() == root ? sent : NULL, n,
                                  FLAGS);
            CHECK(memcmp(big, sent, n) == 0 && (n == sizeof big || big[n] == 0x11));
        }
    }
    CHECK(gasnet_barrier_result(&id) == 0 && id == 0x5eed); /* collectives leave the barrier's result */
    barrier();
    gasnet_exit(0);
    return 0;
}
