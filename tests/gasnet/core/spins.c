/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of tries serve messages whatever the tries find; in GASNET_SEQ handlers run on the client's thread only, also
 * with UPCR_PROGRESS_THREAD=yes, so its atomics, which are plain memory, count right. */
#include <gasnet.h>
#include <gasnet_tools.h>

#include "../client.h"

enum { REQUEST = 200, REPLY = 201, COUNT = 202, PER_NODE = 20000 };

static volatile int requests, replies;
static gasnett_atomic_t counter = gasnett_atomic_init(0);

static void on_request(gasnet_token_t token) {
    ++requests;
    CALL(gasnet_AMReplyShort0(token, REPLY));
}
static void on_reply(gasnet_token_t token) { ++replies; }
static void on_count(gasnet_token_t token) { gasnett_atomic_increment(&counter, 0); }

static int try_none(void) { return gasnet_try_syncnb(GASNET_INVALID_HANDLE); }
static int try_all(void) {
    gasnet_handle_t none[3] = {GASNET_INVALID_HANDLE, GASNET_INVALID_HANDLE, GASNET_INVALID_HANDLE};
    return gasnet_try_syncnb_all(none, 3);
}
static int try_some(void) {
    gasnet_handle_t none[1] = {GASNET_INVALID_HANDLE};
    return gasnet_try_syncnb_some(none, 1);
}

int main(int argc, char **argv) {
    static int (*const tries[])(void) = {try_none, try_all, try_some};
    gasnet_handlerentry_t table[] = {
        {REQUEST, HANDLER(on_request)}, {REPLY, HANDLER(on_reply)}, {COUNT, HANDLER(on_count)}};
    gasnet_node_t peer;
    int i;
    CALL(gasnet_init(&argc, &argv));
    CALL(gasnet_attach(table, 3, 0, 0));
    peer = (gasnet_mynode() + 1) % gasnet_nodes();
    for (i = 0; i < 3; ++i) {
        barrier();
        CALL(gasnet_AMRequestShort0(peer, REQUEST));
        while (requests <= i || replies <= i) {
            CHECK(tries[i]() == GASNET_OK);
            gasnett_sched_yield();
        }
    }
    barrier();
    for (i = 0; i < PER_NODE; ++i) {
        CALL(gasnet_AMRequestShort0(peer, COUNT));
        gasnett_atomic_increment(&counter, 0);
    }
    GASNET_BLOCKUNTIL(gasnett_atomic_read(&counter, 0) == 2 * PER_NODE);
    barrier();
    gasnet_exit(0);
    return 0;
}
