/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic that traced.py knows: each node accesses the next one's memory, and its own once. Between the barriers at
 * the end the last node may crash ("crash", "abort"), exit ("exit") or be killed: "kill N" after N more puts,
 * "stream FILE MS" in the middle of puts whose number, as far as they are complete, is in FILE. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"

static volatile int replies = 0;

static void on_reply(gasnet_token_t token) { ++replies; }
static void on_short(gasnet_token_t token) { CALL(gasnet_AMReplyShort0(token, 129)); }
static void on_medium(gasnet_token_t token, void *data, size_t n) { CALL(gasnet_AMReplyShort0(token, 129)); }

static void stream(const char *path, int ms, gasnet_node_t next, char *there) {
    int file = open(path, O_RDWR | O_CREAT, 0666);
    volatile uint64_t *count = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof *count) == 0)
        count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (count == MAP_FAILED) gasnet_exit(3);
    pid_t node = getpid();
    if (fork() == 0) {
        usleep(ms * 1000);
        kill(node, SIGKILL);
        _exit(0);
    }
    for (char data[4] = {0};; ++*count) gasnet_put(next, there, data, 4);
}

static void end(char **words, gasnet_node_t next, char *there) {
    char data[4] = {0}, *volatile nowhere = (char *)8;
    if (strcmp(words[1], "crash") == 0) *nowhere = 1;
    if (strcmp(words[1], "abort") == 0) abort();
    if (strcmp(words[1], "exit") == 0) _exit(1);
    if (strcmp(words[1], "kill") == 0) {
        for (int i = 0; i < atoi(words[2]); ++i) gasnet_put(next, there, data, 4);
        kill(getpid(), SIGKILL);
    }
    stream(words[2], atoi(words[3]), next, there);
}

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
    if (argc > 1 && next == 0) end(argv, next, there);
    barrier();
    if (wait(NULL) >= 0 || errno != ECHILD) gasnet_exit(4); /* the program has no child */
    gasnet_exit(0);
    return 0;
}
