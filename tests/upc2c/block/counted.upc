/* SPDX-License-Identifier: BSD-3-Clause */
/* For count.sh: thread 0 reads three members of each of 10 nodes of thread 1. */
#include <stdio.h>
#include <upc_relaxed.h>

struct node {
    int key;
    double weight;
    shared struct node *next;
};
shared struct node nodes[10 * THREADS];

int main(void) {
    shared struct node *p = &nodes[1];
    double sum = 0;
    int i;
    for (i = MYTHREAD; i < 10 * THREADS; i += THREADS) {
        struct node *own = (struct node *)&nodes[i];
        own->key = i;
        own->weight = 0.5;
        own->next = i + THREADS < 10 * THREADS ? &nodes[i + THREADS] : NULL;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        while (p) {
            sum += p->key * p->weight;
            p = p->next;
        }
    upc_barrier;
    if (MYTHREAD == 0) puts(sum == 50.0 ? "done" : "wrong");
    return 0;
}
