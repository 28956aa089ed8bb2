/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers-to-shared, memory from the shared heap, and private pointers to what is on the own thread. */
#include <stdio.h>
#include <upc.h>

#define N 6

struct node { int value; shared [] struct node *next; };

shared [N] double *vector;                        /* private, may point to any block */
shared [] struct node *shared first;              /* shared, on thread 0: the head of a list */

int main(void) {
    vector = upc_all_alloc(THREADS, N * sizeof(double)); /* THREADS blocks; collective */

    double *mine = (double *)&vector[N * MYTHREAD]; /* this thread's block, as plain C */
    for (int i = 0; i < N; i++) mine[i] = N * MYTHREAD + i;
    upc_barrier;

    shared [N] double *p = vector + 1, *end = vector + N * THREADS;
    int wrong = 0;
    for (; p < end; p++) wrong += *p != p - vector; /* steps from thread to thread */

    double copy[N]; /* one call for a whole block, where one access for each element would be slow */
    upc_memget(copy, &vector[N * ((MYTHREAD + 1) % THREADS)], sizeof copy);
    wrong += copy[N - 1] != N * ((MYTHREAD + 1) % THREADS) + N - 1;

    /* A list: each thread puts a node, which is on that thread, in front; in the order of the threads. */
    for (int turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD) {
            shared [] struct node *node = upc_alloc(sizeof(struct node));
            node->value = MYTHREAD;
            node->next = first;
            first = node;
        }
        upc_barrier;
    }
    int expected = THREADS;
    for (shared [] struct node *node = first; node != NULL; node = node->next)
        wrong += node->value != --expected || upc_threadof(node) != expected;
    printf("thread %d: %d wrong\n", MYTHREAD, wrong + expected);
    upc_barrier;
    if (MYTHREAD == 0) upc_free(vector);
    return 0;
}
