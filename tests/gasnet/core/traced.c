/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic that traced.py knows: each node accesses the next one's memory, and its own once. With an argument the last
 * node crashes between the barriers at the end. */
#include "client.h"

static volatile int replies = 0;

static void on_reply(gasnet_token_t token) { ++replies; }
static void on_short(gasnet_token_t token) { CALL(gasnet_AMReplyShort0(token, 129)); }
static void on_medium(gasnet_token_t token, void *data, size_t n) { CALL(gasnet_AMReplyShort0(token, 129)); }

int main(int argc, char **argv) {
    static gasnet_seginfo_t segments[64];
    gasnet_handlerentry_t table[] = {
        {128, HANDLER(on_short)}, {129, HANDLER(on_reply)}, {130, HANDLER(on_medium)}};
    char data[128] = {0};
    CALL(gasnet_init(&argc, &argv));
    CALL(gasnet_attach(table, 3, GASNET_PAGESIZE, 0));
    CALL(gasnet_getSegmentInfo(segments, 64));
    gasnet_node_t me = gasnet_mynode(), next = (me + 1) % gasnet_nodes();
    char *there = segments[next].addr;

    for (int i = 0; i < 10; ++i) gasnet_put(next, there, data, i < 5 ? 8 : 16);
    for (int i = 0; i < 5; ++i) gasnet_get(data, next, there, 32);
    for (int i = 0; i < 3; ++i) gasnet_wait_syncnb(gasnet_put_nb(next, there, data, 64));
    for (int i = 0; i < 2; ++i) gasnet_get_nbi(data, next, there, 4);
    gasnet_wait_syncnbi_all();
    gasnet_memset(next, there, 1, 100);
    gasnet_put_val(me, segments[me].addr, 1, 2);

    for (int i = 0; i < 4; ++i) CALL(gasnet_AMRequestShort0(next, 128));
    for (int i = 0; i < 6; ++i) CALL(gasnet_AMRequestMedium0(next, 130, data, 10));
    GASNET_BLOCKUNTIL(replies == 10);
    barrier();
    if (argc > 1 && next == 0) *(volatile char *)8 = 1;
    barrier();
    gasnet_exit(0);
    return 0;
}
