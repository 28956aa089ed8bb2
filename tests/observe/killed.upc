/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic that can be counted by reading, up to the line that each UPC thread prints: its number and its process. Then
 * thread 1 does nothing, the others wait for it, and test_killed.py kills it. */
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>

#define BLOCK 64
shared int words[THREADS];
shared[BLOCK] char blocks[THREADS * BLOCK];

int main(void) {
    const int there = (MYTHREAD + 1) % THREADS;
    char here[BLOCK] = "";
    int sum = 0;
    upc_barrier;                                                           /* line: first barrier */
    for (int i = 0; i < 1000 + MYTHREAD; ++i) words[there] = i;            /* line: put */
    for (int i = 0; i < 10; ++i) sum += words[there];                      /* line: get */
    for (int i = 0; i < 7; ++i) upc_memput(&blocks[BLOCK * there], here, 40); /* line: memput */
    upc_barrier;                                                           /* line: second barrier */
    printf("%d %d\n", MYTHREAD, (int)getpid());
    fflush(stdout);
    while (MYTHREAD == 1) pause();
    upc_barrier; /* line: last barrier */
    return sum < 0;
}
