/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages of a GASNet client to a node that computes, with UPCR_PROGRESS_THREAD=yes and without shared memory:
 * short, medium and long requests run their handlers, which answer, while node 0 calls nothing of GASNet. It computes
 * until the handlers, on the progress thread, have counted them all. The others wait for the answers first.
 */
#include <string.h>
#include <time.h>

#include "tests/gasnet/client.h"

enum { kShort = 201, kMedium, kLong, kAnswer, kRounds = 50, kBytes = 300, kDeadline = 120 /* seconds */ };

static volatile int counted, answers; /* counted: by one handler at a time */

static void count(gasnet_token_t token) {
    counted = counted + 1;
    CALL(gasnet_AMReplyShort0(token, kAnswer));
}
static void check(gasnet_token_t token, const void *data, size_t bytes, gasnet_handlerarg_t fill) {
    CHECK(bytes == kBytes);
    for (size_t i = 0; i < bytes; ++i) CHECK(((const unsigned char *)data)[i] == (unsigned char)fill);
    count(token);
}
static void on_short(gasnet_token_t token) { count(token); }
static void on_medium(gasnet_token_t token, void *data, size_t bytes, gasnet_handlerarg_t fill) {
    check(token, data, bytes, fill);
}
static void on_long(gasnet_token_t token, void *data, size_t bytes, gasnet_handlerarg_t fill) {
    check(token, data, bytes, fill);
}
static void on_answer(gasnet_token_t token) { (void)token, ++answers; }

static void compute(int all) {
    const time_t end = time(NULL) + kDeadline;
    while (counted != all)
        if (time(NULL) > end) {
            fprintf(stderr, "FAILED: %d of %d messages were served in %d s\n", counted, all, kDeadline);
            gasnet_exit(1);
        }
}

static void ask(char *to) {
    unsigned char data[kBytes];
    for (int i = 0; i < kRounds; ++i) {
        memset(data, i, sizeof data);
        CALL(gasnet_AMRequestShort0(0, kShort));
        CALL(gasnet_AMRequestMedium1(0, kMedium, data, sizeof data, i));
        CALL(gasnet_AMRequestLong1(0, kLong, data, sizeof data, to, i));
        GASNET_BLOCKUNTIL(answers == 3 * (i + 1));
    }
}

int main(int argc, char **argv) {
    gasnet_handlerentry_t handlers[] = {{kShort, HANDLER(on_short)},
                                        {kMedium, HANDLER(on_medium)},
                                        {kLong, HANDLER(on_long)},
                                        {kAnswer, HANDLER(on_answer)}};
    gasnet_seginfo_t segments[16];
    CALL(gasnet_init(&argc, &argv));
    CALL(gasnet_attach(handlers, 4, 64 * GASNET_PAGESIZE, 0));
    CALL(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()));
    barrier();
    if (gasnet_mynode() == 0)
        compute(3 * kRounds * ((int)gasnet_nodes() - 1));
    else
        ask((char *)segments[0].addr + 4096 * gasnet_mynode());
    barrier();
    gasnet_exit(0);
}
