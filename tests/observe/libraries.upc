/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic of the libraries that can be counted by reading: files, semaphores, collectives with functions of the
 * program's own, non-blocking fills. test_stats.py knows the comments "line: NAME". */
#include <bupc_extensions.h>
#include <stdio.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_relaxed.h>

#define BLOCK 64
#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
shared[BLOCK] char blocks[THREADS * BLOCK], others[THREADS * BLOCK];
shared int perm[THREADS], ints[THREADS], results[THREADS];
shared long longs[THREADS], total;
shared[3] int keys[3 * THREADS];
bupc_sem_t *shared semaphores[THREADS];

/* Its gets are part of the sort. */
static int compare(shared void *a, shared void *b) {
    const int x = *(shared int *)a, y = *(shared int *)b;
    return (x > y) - (x < y);
}

static void use_file(const char *path) {
    char here[BLOCK] = "";
    upc_file_t *const file = upc_all_fopen(path, UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_TRUNC, 0, NULL); /* line: fopen */
    upc_all_fseek(file, MYTHREAD * BLOCK, UPC_SEEK_SET);             /* line: fseek */
    upc_all_fwrite_local(file, here, 2, 25, ALL);                    /* line: fwrite_local */
    for (int i = 0; i < 3; ++i)
        upc_all_fwrite_shared(file, &blocks[BLOCK * MYTHREAD], BLOCK, 1, 9, ALL); /* line: fwrite_shared */
    upc_all_fsync(file);                                             /* line: fsync */
    upc_all_fseek(file, MYTHREAD * BLOCK, UPC_SEEK_SET);             /* line: second fseek */
    upc_all_fread_local(file, here, 1, 33, ALL);                     /* line: fread_local */
    upc_all_fread_shared(file, &blocks[BLOCK * MYTHREAD], BLOCK, 4, 5, ALL); /* line: fread_shared */
    upc_all_fwrite_local_async(file, here, 1, 17, ALL);              /* line: fwrite_async */
    upc_all_fwait_async(file);                                       /* line: fwait */
    upc_all_fget_size(file);                                         /* line: fget_size */
    upc_all_fclose(file);                                            /* line: fclose */
}

int main(int argc, char **argv) {
    const int there = (MYTHREAD + 1) % THREADS;
    char here[BLOCK] = "";
    bupc_sem_t *const mine = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER);
    semaphores[MYTHREAD] = mine;
    for (int i = 0; i < 3; ++i) keys[3 * MYTHREAD + i] = 1000 - 7 * MYTHREAD - i;
    perm[MYTHREAD] = THREADS - 1 - MYTHREAD;
    upc_barrier;
    bupc_sem_t *const other = semaphores[there];
    for (int i = 0; i < 3; ++i) bupc_sem_post(other);                /* line: sem_post */
    bupc_sem_postN(other, 2);                                        /* line: sem_post_n */
    bupc_memput_signal(&blocks[BLOCK * there], here, 24, other, 1);  /* line: memput_signal */
    for (int i = 0; i < 4; ++i) bupc_sem_wait(mine);                 /* line: sem_wait */
    bupc_sem_waitN(mine, 2);                                         /* line: sem_wait_n */
    const int more = bupc_sem_try(mine);                             /* line: sem_try */
    upc_barrier;
    upc_handle_t handle = upc_memset_nb(&others[BLOCK * there], 5, 44); /* line: memset_nb */
    upc_sync(handle);                                                /* line: sync of memset_nb */
    bupc_handle_t fill = bupc_memset_async(&others[BLOCK * there], 6, 45); /* line: memset_async */
    bupc_waitsync(fill);                                             /* line: sync of memset_async */
    upc_memset_nbi(&others[BLOCK * there], 7, 46);                   /* line: memset_nbi */
    upc_synci();                                                     /* line: synci */
    upc_all_sort(keys, sizeof(int), 3 * THREADS, 3, compare, ALL);   /* line: sort */
    upc_all_permute(others, blocks, perm, 21, ALL);                  /* line: permute */
    upc_all_reduceL(&total, longs, UPC_ADD, THREADS, 1, NULL, ALL);  /* line: reduce */
    upc_all_reduce_allI(results, ints, UPC_MAX, THREADS, 1, NULL, ALL); /* line: reduce_all */
    use_file(argv[argc - 1]);
    if (MYTHREAD == 0) printf("%d\n", more);
    return 0;
}
