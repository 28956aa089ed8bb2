/* SPDX-License-Identifier: BSD-3-Clause */
/* As many client threads as GASNET_PAR allows, each with operations in flight at the same time as all others; then
 * as many others. With an argument: that many threads (too many of them end the job). */
#include <gasnet.h>
#include <gasnet_tools.h>

#include "../client.h"

enum { HANDLES = 50, MOST = GASNETT_MAX_THREADS + 44 };

static char *there;
static gasnet_node_t peer;
static pthread_barrier_t all_started;

static void *worker(void *arg) {
    uint64_t v = (uintptr_t)arg, back[HANDLES], *mine = (uint64_t *)there + v * HANDLES;
    gasnet_handle_t h[HANDLES];
    int i;
    for (i = 0; i < HANDLES; ++i) {
        const uint64_t x = v * 1000 + (uint64_t)i;
        h[i] = gasnet_put_nb(peer, mine + i, &x, 8);
    }
    gasnet_begin_nbi_accessregion();
    pthread_barrier_wait(&all_started);
    gasnet_wait_syncnb_all(h, HANDLES);
    gasnet_get_nbi_bulk(back, peer, mine, sizeof back);
    gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
    for (i = 0; i < HANDLES; ++i) CHECK(back[i] == v * 1000 + (uint64_t)i);
    gasnet_put_nbi_val(peer, mine, v, 8);
    gasnet_wait_syncnbi_puts();
    CHECK(gasnet_get_val(peer, mine, 8) == v);
    return NULL;
}

int main(int argc, char **argv) {
    gasnet_seginfo_t segments[64];
    pthread_t ids[MOST];
    int round, i, threads;
    CALL(gasnet_init(&argc, &argv));
    CALL(gasnet_attach(NULL, 0, 64 * GASNET_PAGESIZE, 0));
    CALL(gasnet_getSegmentInfo(segments, 64));
    threads = argc > 1 ? atoi(argv[1]) : GASNETT_MAX_THREADS;
    CHECK(threads <= MOST);
    peer = (gasnet_mynode() + 1) % gasnet_nodes();
    there = (char *)segments[peer].addr;
    gasnet_put_nbi_val(peer, there + 63 * GASNET_PAGESIZE, 1, 8); /* the main thread counts too */
    for (round = 0; round < 3; ++round) {
        CHECK(pthread_barrier_init(&all_started, NULL, (unsigned)threads) == 0);
        for (i = 0; i < threads; ++i) CHECK(pthread_create(&ids[i], NULL, worker, (void *)(uintptr_t)i) == 0);
        for (i = 0; i < threads; ++i) CHECK(pthread_join(ids[i], NULL) == 0);
    }
    gasnet_wait_syncnbi_puts();
    barrier();
    gasnet_exit(0);
    return 0;
}
