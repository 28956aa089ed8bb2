/* SPDX-License-Identifier: BSD-3-Clause */
/* Start-up: calls before attach, the handler table, segments that differ between nodes, node information. */
#include "../client.h"

static int hook_calls;
static void *hook_base;
static uintptr_t hook_size;
static void attach_hook(void *base, uintptr_t size) {
    ++hook_calls;
    hook_base = base;
    hook_size = size;
}

static volatile int replies;
static void on_request(gasnet_token_t token, gasnet_handlerarg_t index) {
    CALL(gasnet_AMReplyShort1(token, (gasnet_handler_t)index, index));
}
static void on_reply(gasnet_token_t token, gasnet_handlerarg_t index) {
    CHECK(index == 128);
    ++replies;
}

static void check_before_attach(void) {
    gasnet_nodeinfo_t *info = calloc(gasnet_nodes() + 1, sizeof *info);
    gasnet_node_t i, hosts = 0;
    CHECK(gasnet_mynode() < gasnet_nodes());
    CHECK(gasnet_getMaxGlobalSegmentSize() >= GASNET_PAGESIZE);
    CHECK(gasnet_getMaxLocalSegmentSize() >= gasnet_getMaxGlobalSegmentSize());
    CHECK(gasnet_getMaxLocalSegmentSize() % GASNET_PAGESIZE == 0);
    CHECK(gasnet_AMMaxArgs() == 16 && gasnet_AMMaxMedium() >= 512);
    CHECK(gasnet_AMMaxLongRequest() >= 512 && gasnet_AMMaxLongReply() >= 512);
    CHECK(gasnet_AMMaxLongRequest() < 0x7fffffff && gasnet_AMMaxLongReply() < 0x7fffffff);
    CALL(gasnet_set_waitmode(GASNET_WAIT_BLOCK));
    CALL(gasnet_set_waitmode(GASNET_WAIT_SPIN));
    CHECK(strcmp(gasnet_ErrorName(GASNET_ERR_NOT_READY), "GASNET_ERR_NOT_READY") == 0);
    CHECK(strcmp(gasnet_ErrorName(-5), "*unknown*") == 0 && gasnet_ErrorDesc(GASNET_ERR_RESOURCE)[0] != 0);
    CHECK(gasnet_getenv("GASNET_TEST_NO_SUCH_NAME") == NULL);
    CHECK(gasnet_getenv("PATH") != NULL && strcmp(gasnet_getenv("PATH"), getenv("PATH")) == 0);
    CALL(gasnet_getNodeInfo(info, 0));
    info[gasnet_nodes()].host = 12345;
    CALL(gasnet_getNodeInfo(info, gasnet_nodes() + 1));
    CHECK(info[gasnet_nodes()].host == 12345);
    CHECK(info[0].host == 0 && info[0].supernode == 0);
    for (i = 1; i < gasnet_nodes(); ++i) { /* hosts are numbered in the order of their first nodes */
        if (info[i].host > hosts) CHECK(info[i].host == ++hosts);
        CHECK(info[i].supernode <= info[i - 1].supernode + 1 && info[i].supernode >= info[i - 1].supernode);
    }
    gasnet_hold_interrupts();
    gasnet_resume_interrupts();
    free(info);
}

static void check_segments(void) {
    gasnet_node_t i, n = gasnet_nodes(), me = gasnet_mynode();
    gasnet_seginfo_t *segments = calloc(n + 1, sizeof *segments);
    gasnet_nodeinfo_t *info = calloc(n, sizeof *info);
    segments[n].size = 77;
    CALL(gasnet_getSegmentInfo(segments, n + 1));
    CALL(gasnet_getNodeInfo(info, n));
    CHECK(segments[n].size == 77);
    for (i = 0; i < n; ++i) {
        uintptr_t expected = (uintptr_t)i * 3 * GASNET_PAGESIZE;
        CHECK(segments[i].size == expected);
        CHECK((uintptr_t)segments[i].addr % GASNET_PAGESIZE == 0);
        CHECK((segments[i].addr == NULL) == (expected == 0));
    }
    CHECK(hook_calls == 1 && hook_base == segments[me].addr && hook_size == segments[me].size);
    /* The last byte of each, written by its owner, read by its neighbours through the alias. */
    if (segments[me].size != 0) ((char *)segments[me].addr)[segments[me].size - 1] = (char)(me + 1);
    barrier();
    for (i = 0; i < n; ++i)
        if (segments[i].size != 0 && info[i].supernode == info[me].supernode)
            CHECK(((char *)segments[i].addr + info[i].offset)[segments[i].size - 1] == (char)(i + 1));
    barrier();
    free(segments);
    free(info);
}

int main(int argc, char **argv) {
    gasnet_handlerentry_t table[] = {{0, HANDLER(on_reply)},
                                     {255, HANDLER(on_request)},
                                     {0, HANDLER(on_reply)},
                                     {129, HANDLER(on_request)},
                                     {0, HANDLER(on_request)}};
    gasnet_handlerentry_t repeated[] = {{200, HANDLER(on_request)}, {200, HANDLER(on_request)}};
    gasnet_handlerentry_t reserved[] = {{127, HANDLER(on_request)}};
    static gasnet_handlerentry_t many[129];
    gasnet_node_t i;
#if !defined(GASNET_DEBUG) /* that prints the reason */
    CHECK(gasnet_attach(NULL, 0, 0, 0) == GASNET_ERR_NOT_INIT);
#endif
    CALL(gasnet_init(NULL, NULL));
    (void)argc, (void)argv, (void)repeated, (void)reserved, (void)many;
    check_before_attach();
#if !defined(GASNET_DEBUG)
    CHECK(gasnet_init(&argc, &argv) == GASNET_ERR_NOT_INIT);
    CHECK(gasnet_attach(repeated, 2, 0, 0) == GASNET_ERR_RESOURCE);
    CHECK(gasnet_attach(reserved, 1, 0, 0) == GASNET_ERR_RESOURCE);
    CHECK(gasnet_attach(many, 129, 0, 0) == GASNET_ERR_RESOURCE);
    CHECK(gasnet_attach(NULL, 0, GASNET_PAGESIZE + 1, 0) == GASNET_ERR_BAD_ARG);
    CHECK(gasnet_attach(NULL, 0, gasnet_getMaxLocalSegmentSize() + GASNET_PAGESIZE, 0) == GASNET_ERR_BAD_ARG);
    CHECK(gasnet_getNodeInfo(NULL, -1) == GASNET_ERR_BAD_ARG);
    CHECK(gasnet_set_waitmode(17) == GASNET_ERR_BAD_ARG);
#endif
    gasnet_client_attach_hook = attach_hook;
    CALL(gasnet_attach(table, 5, (uintptr_t)gasnet_mynode() * 3 * GASNET_PAGESIZE, 12345));
    CHECK(table[0].index == 128 && table[1].index == 255 && table[2].index == 130 && table[3].index == 129 &&
          table[4].index == 131);
#if !defined(GASNET_DEBUG)
    CHECK(gasnet_attach(NULL, 0, 0, 0) == GASNET_ERR_NOT_INIT);
#endif
    for (i = 0; i < gasnet_nodes(); ++i) {
        CALL(gasnet_AMRequestShort1(i, 255, 128));
        CALL(gasnet_AMRequestShort1(i, 131, 128));
    }
    GASNET_BLOCKUNTIL(replies == 2 * (int)gasnet_nodes());
    check_segments();
    gasnet_exit(0);
}
