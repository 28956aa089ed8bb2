/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GASNET_PAR: threads that start and end, each sending to all nodes and waiting by another call, while one waits
 * in a barrier; locks shared with handlers; an identity for each thread.
 */
#include "../client.h"

enum { MAX = 64 };
static int threads, rounds;
static volatile int replies[MAX];
static int requests_seen, payload_sum; /* under `lock`: handlers and threads change them */
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static gasnet_threadinfo_t identities[MAX];

static void on_request(gasnet_token_t token, gasnet_handlerarg_t thread) {
    gasnet_hsl_lock(&lock);
    ++requests_seen;
    gasnet_hsl_unlock(&lock);
    CALL(gasnet_AMReplyShort1(token, 201, thread));
}
static void on_reply(gasnet_token_t token, gasnet_handlerarg_t thread) {
    __atomic_fetch_add(&replies[thread], 1, __ATOMIC_RELEASE);
}
static void on_medium_request(gasnet_token_t token, void *buf, size_t n, gasnet_handlerarg_t thread) {
    size_t i;
    int sum = 0;
    for (i = 0; i < n; ++i) sum += ((unsigned char *)buf)[i] == (unsigned char)thread;
    gasnet_hsl_lock(&lock);
    payload_sum += sum;
    gasnet_hsl_unlock(&lock);
    CALL(gasnet_AMReplyMedium1(token, 203, buf, n, thread));
}
static void on_medium_reply(gasnet_token_t token, void *buf, size_t n, gasnet_handlerarg_t thread) {
    CHECK(n == 0 || ((unsigned char *)buf)[n - 1] == (unsigned char)thread);
    __atomic_fetch_add(&replies[thread], 1, __ATOMIC_RELEASE);
}

static void *work(void *arg) {
    int me = (int)(intptr_t)arg, sent = 0, i;
    char data[3000];
    uint64_t seed = 99 + me;
    volatile gasnet_threadinfo_t info = GASNET_GET_THREADINFO();
    identities[me] = info;
    memset(data, me, sizeof data);
    for (i = 0; i < rounds; ++i) {
        gasnet_node_t to = random_number(&seed) % gasnet_nodes();
        size_t n =
            random_number(&seed) % (gasnet_AMMaxMedium() < sizeof data ? gasnet_AMMaxMedium() : sizeof data);
        CALL(gasnet_AMRequestShort1(to, 200, me));
        CALL(gasnet_AMRequestMedium1(to, 202, data, n, me));
        sent += 2;
        if (i % 3 == 0) GASNET_BLOCKUNTIL(replies[me] == sent);
        if (i % 3 == 1)
            while (replies[me] != sent) CALL(gasnet_AMPoll());
        while (gasnet_hsl_trylock(&lock) != GASNET_OK) CALL(gasnet_AMPoll());
        ++payload_sum;
        gasnet_hsl_unlock(&lock);
        CHECK(GASNET_GET_THREADINFO() == info);
    }
    GASNET_BLOCKUNTIL(replies[me] == sent);
    return NULL;
}

static void *wait_in_barrier(void *unused) {
    CHECK(gasnet_barrier_wait(5, 0) == GASNET_OK);
    return unused;
}

static void generation(void) {
    pthread_t ids[MAX], waiter;
    int i, j;
    for (i = 0; i < threads; ++i) replies[i] = 0;
    gasnet_barrier_notify(5, 0); /* here, and the wait elsewhere */
    CHECK(pthread_create(&waiter, NULL, wait_in_barrier, NULL) == 0);
    for (i = 0; i < threads; ++i) CHECK(pthread_create(&ids[i], NULL, work, (void *)(intptr_t)i) == 0);
    for (i = 0; i < threads; ++i) CHECK(pthread_join(ids[i], NULL) == 0);
    CHECK(pthread_join(waiter, NULL) == 0);
    barrier();
    for (i = 0; i < threads; ++i) CHECK(identities[i] != NULL);
    (void)j;
}

int main(int argc, char **argv) {
    gasnet_handlerentry_t table[] = {{200, HANDLER(on_request)},
                                     {201, HANDLER(on_reply)},
                                     {202, HANDLER(on_medium_request)},
                                     {203, HANDLER(on_medium_reply)}};
    int g;
    CALL(gasnet_init(&argc, &argv));
    CALL(gasnet_attach(table, 4, 0, 0));
    for (g = 0; g < 3; ++g) {
        threads = g == 2 ? 40 : 6;
        rounds = effort(g == 2 ? 8 : 60);
        generation();
    }
    gasnet_exit(0);
}
