/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic that can be counted by reading: each thread accesses the memory of its right neighbour. test_stats.py knows
 * the comments "line: NAME". */
#include <bupc_atomics.h>
#include <bupc_extensions.h>
#include <stdio.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_relaxed.h>

#define BLOCK 512 /* an exchange takes 20 bytes for each thread */
shared int words[THREADS], sums[THREADS];
shared[BLOCK] char blocks[THREADS * BLOCK], others[THREADS * BLOCK];
shared long counters[THREADS];
upc_lock_t *lock;

int main(void) {
    const int there = (MYTHREAD + 1) % THREADS;
    char here[BLOCK] = "";
    int sum = 0;
    lock = upc_all_lock_alloc();
    upc_barrier; /* line: first barrier */
    for (int i = 0; i < 100; ++i) words[there] = i;                            /* line: put */
    for (int i = 0; i < 50; ++i) sum += words[there];                          /* line: get */
    for (int i = 0; i < 10; ++i) sum += words[MYTHREAD];                       /* line: own get */
    upc_memput(&blocks[BLOCK * there], here, 100);                             /* line: memput */
    upc_memput(&blocks[BLOCK * there], here, 200);                             /* line: second memput */
    upc_memget(here, &blocks[BLOCK * there], 60);                              /* line: memget */
    upc_memcpy(&others[BLOCK * MYTHREAD], &blocks[BLOCK * there], 40);         /* line: memcpy */
    upc_memset(&others[BLOCK * MYTHREAD], 7, 30);                              /* line: memset */
    upc_handle_t handle = upc_memput_nb(&blocks[BLOCK * there], here, 80);     /* line: nb_put */
    upc_sync(handle);                                                          /* line: sync */
    handle = upc_memget_nb(here, &blocks[BLOCK * there], 90);                  /* line: nb_get */
    upc_sync(handle);                                                          /* line: sync of nb_get */
    handle = upc_memcpy_nb(&others[BLOCK * MYTHREAD], &blocks[BLOCK * there], 50); /* line: nb_copy */
    upc_sync(handle);                                                          /* line: sync of nb_copy */
    for (int i = 0; i < 20; ++i) bupc_atomicL_fetchadd_relaxed(&counters[there], 1); /* line: atomic */
    for (int i = 0; i < 5; ++i) {
        upc_lock(lock); /* line: lock */
        sum += i;
        upc_unlock(lock); /* line: unlock */
    }
    bupc_memput_strided2d(&blocks[BLOCK * there], 16, here, 8, 4, 4);          /* line: vis */
    shared void *mine = upc_alloc(1000);                                       /* line: alloc */
    upc_free(mine);                                                            /* line: free */
    upc_barrier 5;                                                             /* line: second barrier */
    upc_all_broadcast(blocks, others, 16, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);   /* line: broadcast */
    upc_all_scatter(blocks, others, 17, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);     /* line: scatter */
    upc_all_gather(blocks, others, 18, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);      /* line: gather */
    upc_all_gather_all(blocks, others, 19, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);  /* line: gather_all */
    upc_all_exchange(blocks, others, 20, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);    /* line: exchange */
    upc_all_prefix_reduceI(sums, words, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); /* line: prefix */
    if (MYTHREAD == 0) printf("%d\n", sum < 0);
    return 0;
}
